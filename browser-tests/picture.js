// Takes the pictures of the report for the README: `npm run picture --prefix browser-tests`.

import { join } from 'node:path';

import { launch, report, root } from './support.js';

const { url } = report('picture', 'examples/data');
const browser = await launch();
for (const colorScheme of ['light', 'dark']) {
  const page = await browser.newPage({ colorScheme, viewport: { width: 1200, height: 1060 } });
  await page.goto(url);
  await page.screenshot({ path: join(root, `docs/report-${colorScheme}.png`) });
}
await browser.close();
