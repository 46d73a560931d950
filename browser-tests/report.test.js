import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';

import axe from 'axe-core';

import { comparison, folder, launch, report, rows, run } from './support.js';

const TEXTS = [
  '<script>document.title = "changed"</script>',
  '</script><img src=x onerror="document.title = \'changed\'">',
  '"><b>bold</b>',
  '<!-- <script>',
  '\u202eright to left',
  'שלום مرحبا',
  '',
  'w'.repeat(500),
  'judge_faild',
  'timeout',
  'answer_empty',
  'browser_env:tab_crashed',
  'a`b`c & d',
];

const attempt = (task, kind, more = {}) => ({
  _ng_task_index: task,
  _ng_rollout_index: 0,
  failure_kind: kind,
  ...more,
});

const pages = {
  examples: report('examples', 'examples/data'),
  clean: report(
    'clean',
    rows('clean.jsonl', [1, 2, 3].map((task) => ({ _ng_task_index: task, _ng_rollout_index: 0 }))),
  ),
  hostile: report(
    'hostile',
    rows('<i>hostile.jsonl', TEXTS.map((text, task) => attempt(task, text, {
      failure_reason: `${text} ${'x'.repeat(300)}`,
    }))),
  ),
  // More than are laid out at once.
  many: report(
    'many',
    rows('many.jsonl', Array.from({ length: 300 }, (_, task) => attempt(task, `worker_${task}`))),
  ),
  most: report(
    'most',
    rows('most.jsonl', Array.from({ length: 10_100 }, (_, task) => attempt(task, `name_${task}`))),
  ),
};

// Rows instead of groups.
pages.comparison = comparison('comparison', 'examples/data/sat', 'examples/data/gateway');
const listed = (json) => json.groups ?? json.rows;

let browser;
before(async () => { browser = await launch(); });
after(() => browser.close());

/** Opens a page in a context of its own; it is closed after the test. */
async function open(t, url, options = {}) {
  const context = await browser.newContext(options);
  t.after(() => context.close());
  const page = await context.newPage();
  await page.goto(url);
  return page;
}

const group = '.group';
/** A text of a row as the page shows it: what nobody can see is escaped. */
const escaped = (text) => text.replaceAll('\u202e', '\\u{202e}');
const facts = ({ kind, stage, rule, http_label: label, class: side }) =>
  [side, kind, stage, rule, label].map((fact) => escaped(fact ?? 'none')).join(' | ');

/** The groups that are in sight, in the form of `facts`. */
const visible = (page) => page.$$eval(`${group}:not([hidden])`, (groups) => groups.map((one) => {
  const { kind, stage, rule, label, class: side } = one.dataset;
  return [side, kind, stage, rule, label].map((fact) => fact ?? 'none').join(' | ');
}));

const pairsOf = (filter) =>
  filter.split('\n').filter(Boolean).map((pair) => [pair.split('=')[0], pair.split('=').slice(1).join('=')]);

const keys = { class: 'class', kind: 'kind', stage: 'stage', rule: 'rule', label: 'http_label' };

for (const [name, { url, json }] of Object.entries(pages)) {
  describe(name, () => {
    test('no request leaves the page, and nothing is reported on the console', async (t) => {
      const context = await browser.newContext();
      t.after(() => context.close());
      const page = await context.newPage();
      const seen = [];
      page.on('request', (request) => seen.push(request.url()));
      page.on('console', (message) => seen.push(message.text()));
      page.on('pageerror', (error) => seen.push(error.message));
      page.on('dialog', (dialog) => seen.push(dialog.message()));
      await page.goto(url);
      await page.waitForLoadState('networkidle');
      assert.deepEqual(seen, [url]);
    });

    test('the page holds the report and all its groups', async (t) => {
      const page = await open(t, url);
      assert.deepEqual(JSON.parse(await page.textContent('#report')), json);
      assert.equal((await visible(page)).length, listed(json).length);
    });

    for (const width of [360, 800, 1600]) {
      test(`the page has no sideways scroll at ${width} px`, async (t) => {
        const page = await open(t, url, { viewport: { width, height: 800 } });
        const widths = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
        assert.ok(widths[0] <= widths[1], `${widths}`);
      });
    }
  });
}

for (const name of ['examples', 'clean', 'hostile', 'comparison']) {
  for (const colorScheme of ['light', 'dark']) {
    for (const width of [360, 1280]) {
      test(`axe finds nothing in ${name}, ${colorScheme}, at ${width} px`, async (t) => {
        const viewport = { width, height: 800 };
        const page = await open(t, pages[name].url, { colorScheme, viewport });
        await page.evaluate(axe.source);
        const { violations, passes } = await page.evaluate(() => axe.run());
        assert.ok(passes.length > 10);
        const found = violations.map(({ id, impact, nodes }) =>
          `${impact} ${id}: ${nodes.map((node) => node.html).join('\n')}`);
        assert.deepEqual(found, []);
      });
    }
  }
}

test('text that looks like markup stays text', async (t) => {
  const page = await open(t, pages.hostile.url);
  assert.doesNotMatch(await page.title(), /changed/);
  assert.equal(await page.locator('script').count(), 2);
  assert.equal(await page.locator('main :is(img, script, b, i)').count(), 0);
  const text = await page.innerText('main');
  for (const shown of TEXTS.slice(0, 4)) assert.ok(text.includes(shown), shown);
  assert.ok(text.includes('\\u{202e}right to left'));
  assert.ok(!text.includes('\u202e'));
});

test('each filter shows what the report says', async (t) => {
  for (const { url, json } of [pages.examples, pages.hostile]) {
    const page = await open(t, url);
    const all = json.groups.map(facts);
    const controls = await page.$$('[data-filter]');
    assert.ok(controls.length > 10);
    let filters = 0;
    for (const control of controls) {
      const pairs = pairsOf(await control.getAttribute('data-filter'));
      if (!pairs.length || pairs.some(([key]) => !(key in keys))) continue;
      filters += 1;
      await control.click();
      const wanted = json.groups.filter((one) =>
        pairs.every(([key, value]) => escaped(one[keys[key]] ?? 'none') === value));
      assert.deepEqual(await visible(page), wanted.map(facts), pairs.join());
      await page.click('[data-filter=""]');
      assert.deepEqual(await visible(page), all);
    }
    assert.ok(filters > 10, `${filters}`);
  }
});

test('the filter of a run shows its groups', async (t) => {
  const page = await open(t, pages.examples.url);
  for (const { path } of pages.examples.json.runs) {
    await page.click(`[data-filter="run=${path}"]`);
    const shown = new Set(await visible(page));
    const folder = path.replace(/\/[^/]*$/, '');
    const groups = (...args) =>
      JSON.parse(run('triage', folder, '--format', 'json', ...args)).groups.map(facts);
    for (const decided of groups('--latest')) assert.ok(shown.has(decided), `${path}: ${decided}`);
    const all = new Set(groups());
    for (const one of shown) assert.ok(all.has(one), `${path}: ${one}`);
    await page.click('[data-filter=""]');
  }
});

test('filters join, and the way back leads to the view before', async (t) => {
  const page = await open(t, pages.examples.url);
  await page.click('button[data-filter="class=evaluation"]');
  await page.click('thead [data-filter="stage=seed"]');
  assert.equal(await page.getAttribute('[data-filter="class=evaluation"]', 'aria-pressed'), 'true');
  const both = await visible(page);
  // The same view from its address.
  assert.deepEqual(await visible(await open(t, page.url())), both);
  assert.ok(both.length > 0 && both.every((one) => /^evaluation \| .* \| seed/.test(one)), `${both}`);
  await page.goBack();
  assert.ok((await visible(page)).length > both.length);
});

test('the box filters by text', async (t) => {
  const page = await open(t, pages.examples.url);
  await page.fill('input[type=search]', 'Episode timed out');
  const found = await visible(page);
  assert.deepEqual(found, ['evaluation | environment_server_failed | none | kind | none']);
  const all = pages.examples.json.groups.length;
  assert.ok((await page.textContent('.shown')).startsWith(`1 of ${all} groups`));
  await page.reload();
  assert.deepEqual(await visible(page), found);
  await page.fill('input[type=search]', '');
  assert.equal((await visible(page)).length, all);
});

test('the rows of a comparison are in two parts, and filtered by word and class', async (t) => {
  const { url, json } = pages.comparison;
  const page = await open(t, url);
  const inParts = (rows) => [true, false].map((isShown) =>
    rows.filter((row) => (row.q < 0.05) === isShown).map((row) => row.kind));
  const parts = async () => Promise.all(['#differences', '#others'].map((part) =>
    page.$$eval(`${part} .group:not([hidden])`, (rows) => rows.map((row) => row.dataset.kind))));
  assert.deepEqual(await parts(), inParts(json.rows));
  for (const [key, values] of [['word', ['new', 'gone']], ['class', ['evaluation', 'unknown']]]) {
    for (const value of values) {
      await page.click(`button[data-filter="${key}=${value}"]`);
      const wanted = json.rows.filter((row) => row[key] === value);
      assert.ok(wanted.length > 0 && wanted.length < json.rows.length);
      assert.deepEqual(await parts(), inParts(wanted));
      await page.click('[data-filter=""]');
    }
  }
  // A part without a row that passes the filter is not there, and neither is its heading.
  await page.fill('input[type=search]', 'stale_forecast');
  assert.equal(await page.locator('#differences-heading').isVisible(), false);
  assert.equal(await page.locator('#others-heading').isVisible(), true);
  assert.equal(await page.locator(`${group} svg.interval`).count(), json.rows.length);
});

test('columns sort', async (t) => {
  const page = await open(t, pages.examples.url);
  const column = (index) =>
    page.$$eval(group, (groups, index) => groups.map((one) => one.rows[0].cells[index].textContent), index);
  const rollouts = pages.examples.json.groups.map((one) => one.rollouts);
  await page.click('#failures th:has-text("Rollouts") button');
  assert.deepEqual((await column(4)).map(Number), rollouts.toSorted((one, other) => other - one));
  await page.click('#failures th:has-text("Rollouts") button');
  assert.deepEqual((await column(4)).map(Number), rollouts.toSorted((one, other) => one - other));
  assert.equal(await page.getAttribute('#failures th:has-text("Rollouts")', 'aria-sort'), 'ascending');
  await page.click('#failures th:has-text("Kind") button');
  const kinds = await column(1);
  assert.deepEqual(kinds, kinds.toSorted());
  await page.reload();
  assert.deepEqual(await column(1), kinds);
});

test('the keyboard reaches and sets a filter', async (t) => {
  const page = await open(t, pages.examples.url);
  const isFilter = () => document.activeElement?.dataset.filter === 'class=evaluation';
  for (let step = 0; step < 100 && !(await page.evaluate(isFilter)); step += 1) {
    await page.keyboard.press('Tab');
  }
  await page.keyboard.press('Enter');
  const shown = await visible(page);
  assert.ok(shown.length > 0 && shown.every((one) => one.startsWith('evaluation')));
});

test('a button copies the place of an example', async (t) => {
  const page = await open(t, pages.examples.url, { permissions: ['clipboard-read', 'clipboard-write'] });
  await page.locator('.copy').first().click();
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  assert.match(copied, /^examples\/data\/[a-z]+\/rollouts_failures\.jsonl:\d+$/);
});

test('without script everything is in the page', async (t) => {
  const page = await open(t, pages.examples.url, { javaScriptEnabled: false });
  const text = await page.innerText('main');
  for (const { kind, http_statuses: statuses } of pages.examples.json.groups) {
    assert.ok(text.includes(kind));
    for (const [status, count] of Object.entries(statuses)) {
      assert.ok(text.includes(`${status}×${count}`));
    }
  }
  assert.equal(await page.locator('button:visible, input:visible').count(), 0);
});

test('the printed page holds all groups', async (t) => {
  for (const { url, json } of [pages.examples, pages.many]) {
    const page = await open(t, url);
    const pdf = join(folder, 'page.pdf');
    writeFileSync(pdf, await page.pdf({ format: 'A4' }));
    const text = execFileSync('pdftotext', [pdf, '-'], { encoding: 'utf8' }).replaceAll(/\s/g, '');
    for (const { kind, count } of json.groups) {
      assert.ok(text.includes(kind), kind);
      assert.ok(text.includes(String(count)));
    }
    assert.equal(text.split('Rule:').length - 1, json.groups.length);
  }
});

test('of 10,000 groups the filter finds one', async (t) => {
  const page = await open(t, pages.most.url);
  assert.equal(pages.most.json.groups.length, 10_000);
  await page.fill('input[type=search]', 'name_7777');
  assert.equal((await visible(page)).length, 1);
});
