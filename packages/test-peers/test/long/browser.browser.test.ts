import { expect, it, onTestFinished } from 'vitest';
import { listen } from '../../src/http.ts';
import { launchBrowser } from '../../src/browser.ts';

it('fills in a form and follows it', async () => {
  const { origin, serve, close } = await listen();
  serve((request, response) => {
    response.setHeader('content-type', 'text/html');
    response.end(
      `<title>${request.url}</title><form action="/next"><input name="who"><button>Go</button></form>`,
    );
  });
  onTestFinished(close);
  const browser = await launchBrowser();
  onTestFinished(() => browser.close());
  const page = await browser.newPage();
  await page.goto(origin);
  await page.fill('input', 'alice');
  await page.click('button');
  await page.waitForURL(/next/);
  expect(await page.title()).toBe('/next?who=alice');
});
