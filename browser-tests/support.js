// Reports of the command as pages, and the browser that opens them.

import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

import { chromium } from 'playwright-core';

export const root = resolve(import.meta.dirname, '..');
const command = process.env.FAILURE_KINDS ?? join(root, 'target/debug/failure-kinds');
const browserPath = process.env.CHROMIUM ?? '/usr/bin/chromium';
export const folder = mkdtempSync(join(tmpdir(), 'failure-kinds-'));
process.on('exit', () => rmSync(folder, { recursive: true }));

/** Runs the command at the root of the repository. */
export function run(...args) {
  const options = { cwd: root, encoding: 'utf8', maxBuffer: 1 << 28, stdio: ['ignore', 'pipe', 'ignore'] };
  return execFileSync(command, args, options);
}

/** A report as an address of a page and as a value. */
export function report(name, ...inputs) {
  const page = join(folder, `${name}.html`);
  run('triage', ...inputs, '--format', 'html', '--out', page);
  return {
    url: pathToFileURL(page).href,
    json: JSON.parse(run('triage', ...inputs, '--format', 'json')),
  };
}

/** A comparison in the same form. */
export function comparison(name, baseline, current) {
  const page = join(folder, `${name}.html`);
  run('compare', baseline, current, '--format', 'html', '--out', page);
  return {
    url: pathToFileURL(page).href,
    json: JSON.parse(run('compare', baseline, current, '--format', 'json')),
  };
}

/** Writes rows to a file. */
export function rows(path, values) {
  const file = join(folder, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, values.map((value) => JSON.stringify(value) + '\n').join(''));
  return file;
}

/** Debian's browser, which must be there: nothing else is downloaded. */
export function launch() {
  return chromium.launch({
    executablePath: browserPath,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });
}
