import { expect, it, onTestFinished } from 'vitest';
import { listen } from '../../src/http/listen.ts';
import { launchBrowser } from '../../src/peers/launch-browser.ts';

it('fills in a form and follows it', async () => {
  const { origin, close } = await listen((request, response) => {
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
