import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { untilFocused } from '../harness/keyboard.ts';
import { expectAccessible, portalSuite } from '../harness/portal-suite.ts';
import { button } from '../harness/wizard.ts';
import { startPortal } from '../harness/portal.ts';
import { type ReaderOptions } from '../harness/reader.ts';

const { open } = portalSuite(() => startPortal({ hasSamples: true }));

const MARKUP = '<img src=x onerror="globalThis.isHacked=true">';

const openTool = (tool: string, options?: ReaderOptions) =>
  open(`catalog/${tool}?tab=try`, options);

const call = (page: Page): Promise<void> => button(page, 'Call').click();
const questionOf = (page: Page) => page.getByRole('group', { name: 'Question of the server' });
const outcomeOf = (page: Page) => page.getByRole('group', { name: 'Outcome of the call' });

const callTool = async (tool: string, options: ReaderOptions = {}) => {
  const reader = await openTool(tool, options);
  await call(reader.page);
  const result = reader.page.getByRole('status').filter({ hasText: /Result|answered/ });
  return { ...reader, result };
};

describe('a result', () => {
  it('shows pictures and texts of the test server of the protocol', async () => {
    const { page, result } = await callTool('x_everything_get-tiny-image');
    await result.getByRole('img', { name: 'Result' }).waitFor();
    const width = 'document.querySelector("img[alt=Result]").naturalWidth';
    expect(await page.evaluate<number>(width)).toBeGreaterThan(0);
  });

  it('plays sounds', async () => {
    const { page, result } = await callTool('x_samples_sound');
    await result.getByLabel('Result').waitFor();
    const duration = `new Promise((resolve) => {
      const audio = document.querySelector('audio');
      if (audio.readyState > 0) resolve(audio.duration);
      audio.addEventListener('loadedmetadata', () => resolve(audio.duration));
      audio.addEventListener('error', () => resolve(-1));
    })`;
    expect(await page.evaluate<number>(duration)).toBe(1);
  });

  it('has resources as texts, files and links, and runs nothing of them', async () => {
    const { page, result } = await callTool('x_samples_resources');
    await result.getByText(MARKUP, { exact: true }).first().waitFor();
    await result.getByText('5 bytes').waitFor();
    const downloading = page.waitForEvent('download');
    await result.getByRole('button', { name: 'Download' }).click();
    expect((await downloading).suggestedFilename()).toBe('data.bin');
    const links = await result.getByRole('link').all();
    expect(await Promise.all(links.map((link) => link.getAttribute('href')))).toEqual([
      'https://example.com/',
    ]);
    await result.getByText('Example', { exact: true }).waitFor();
    await result.getByText('https://example.com/', { exact: true }).waitFor();
    await result.getByText('"unheard_of"').waitFor();
    expect(await page.evaluate('globalThis.isHacked')).toBe(undefined);
  });

  it('does not show a drawing that can run scripts', async () => {
    const { result } = await callTool('x_samples_drawing');
    await result.getByText('image/svg+xml').waitFor();
    expect(await result.getByRole('img').count()).toBe(0);
  });

  it('has structured content as a table, and its repetition as text not again', async () => {
    const { page, result } = await callTool('x_samples_structured');
    const table = result.getByRole('table', { name: 'Structured result' });
    await table.getByRole('row', { name: `title ${MARKUP}` }).waitFor();
    expect(await table.getByRole('rowheader').allInnerTexts()).toEqual([
      ...['title', 'count', '__proto__', 'empty'],
    ]);
    expect(await result.getByText(MARKUP).count()).toBe(1);
    expect(await page.evaluate('globalThis.isHacked')).toBe(undefined);
  });

  it('shows a structured result once, whether the text repeats a member or all in another order', async () => {
    const { result } = await callTool('x_samples_structured_text');
    await result.getByText('first\nsecond').waitFor();
    expect(await result.getByText('second').count()).toBe(1);
    expect(await result.getByRole('table').count()).toBe(0);
    const other = await callTool('x_samples_structured_order');
    await other.result.getByText('"b": 2').waitFor();
    expect(await other.result.getByText('"b"').count()).toBe(1);
  });

  it('shows the beginning of a long text and downloads all of it', async () => {
    const { page, result } = await callTool('x_samples_long');
    await result.getByText('The first 50000 of 60000 characters are shown.').waitFor();
    const downloading = page.waitForEvent('download');
    await result.getByRole('button', { name: 'Download all' }).click();
    expect((await downloading).suggestedFilename()).toBe('result.txt');
  });

  it('says that it is empty, or that the tool failed', async () => {
    const { result } = await callTool('x_samples_nothing');
    await result.getByText('The result is empty.').waitFor();
    const failed = await callTool('x_samples_fails');
    await failed.result.getByText('The tool answered with an error').waitFor();
    await failed.result.getByText(`It failed: ${MARKUP}`).waitFor();
  });
});

describe('a question', () => {
  it('is a form whose fields are checked before the answer', async () => {
    const { page } = await openTool('x_samples_ask');
    await call(page);
    const question = questionOf(page);
    await question.getByText(MARKUP).waitFor();
    await question.getByRole('button', { name: 'Accept' }).click();
    await question.getByText('The field is required.').first().waitFor();
    await question.getByLabel('<b>Name</b>').fill('Ada');
    await question.getByRole('combobox', { name: 'Pets' }).click();
    await page.getByRole('option', { name: 'Dogs' }).click();
    await page.keyboard.press('Escape');
    await question.getByRole('button', { name: 'Accept' }).click();
    await page.getByText('{"action":"accept","content":{"name":"Ada","pets":["d"]}}').waitFor();
    expect(await page.evaluate('globalThis.isHacked')).toBe(undefined);
  });

  it('has the focus, and is declined with the keyboard', async () => {
    const { page } = await openTool('x_samples_ask');
    await page.getByRole('button', { name: 'Call', exact: true }).focus();
    await page.keyboard.press('Enter');
    const question = questionOf(page);
    await question.waitFor();
    expect(await page.evaluate('document.activeElement.getAttribute("aria-label")')).toBe(
      'Question of the server samples',
    );
    await question.getByText('The server samples asks during the call of x_samples_ask:').waitFor();
    await question.getByRole('button', { name: 'Decline' }).focus();
    await page.keyboard.press('Enter');
    await page.getByText('{"action":"decline"}').waitFor();
    await untilFocused(outcomeOf(page));
  });

  it('opens a page elsewhere', async () => {
    const { page } = await openTool('x_samples_ask_page');
    await call(page);
    const question = questionOf(page);
    await question.getByText('open a page of example.com').waitFor();
    const link = question.getByRole('link');
    expect(await link.getAttribute('href')).toBe('https://example.com/?a=%3Cb%3E');
    expect(await link.getAttribute('rel')).toContain('noopener');
    await question.getByRole('button', { name: 'Continue' }).click();
    await page.getByText('{"action":"accept"}').waitFor();
  });

  it('opens no script', async () => {
    const { page } = await openTool('x_samples_ask_script');
    await call(page);
    const question = questionOf(page);
    await question.getByRole('alert').getByText('no page of the web').waitFor();
    expect(await question.getByRole('link').count()).toBe(0);
    await question.getByRole('button', { name: 'Cancel' }).click();
    await page.getByText('{"action":"cancel"}').waitFor();
  });

  it.each([
    ['light', 360],
    ['dark', 1200],
  ] as const)(
    'of the test server of the protocol meets WCAG 2.2 AA in %s at %i pixels',
    async (colorScheme, width) => {
      const options = { colorScheme, width };
      const { page } = await openTool('x_everything_trigger-elicitation-request', options);
      await call(page);
      await page.getByRole('button', { name: 'Accept' }).waitFor();
      expect(await page.getByText('Unsupported field').count()).toBe(0);
      await expectAccessible(page);
      // A server cannot ask while a call of somebody else runs.
      await page.getByRole('button', { name: 'Cancel' }).click();
      await page.getByRole('status').getByText('Result', { exact: true }).waitFor();
    },
  );
});

// Last, because a server cannot ask soon after a call that was cancelled.
describe('a running call', () => {
  it('reports progress, and is cancelled at the server', async () => {
    const { page } = await openTool('x_samples_wait');
    await call(page);
    await page.getByText(`Step 3 ${MARKUP}`).waitFor();
    expect(await page.getByRole('progressbar').getAttribute('aria-valuenow')).toBe('75');
    await untilFocused(outcomeOf(page));
    await page.keyboard.press('Tab');
    await untilFocused(page.getByRole('button', { name: 'Cancel' }));
    await page.keyboard.press('Enter');
    await page.getByRole('status').getByText('The request was cancelled.').waitFor();
    await untilFocused(outcomeOf(page));
    const { result } = await callTool('x_samples_cancellations');
    await result.getByText('cancelled: 1').waitFor();
  });

  it('goes on while the user reads other pages, and is shown with its arguments again', async () => {
    const { page } = await openTool('x_everything_trigger-long-running-operation');
    await page.getByLabel('duration').fill('2');
    await call(page);
    await page.getByRole('link', { name: 'All tools' }).click();
    await page.getByRole('heading', { name: 'Catalog' }).waitFor();
    await page.getByRole('button', { name: '1 running' }).waitFor({ state: 'detached' });
    await page.goBack();
    await page.getByText('Long running operation completed.').waitFor();
    expect(await page.getByLabel('duration').inputValue()).toBe('2');
  });

  it('is not ended by closing the page without a question', async () => {
    const { page } = await openTool('x_everything_trigger-long-running-operation');
    await page.getByLabel('duration').fill('600');
    await call(page);
    await page.getByRole('button', { name: '1 running' }).waitFor();
    const asking = page.waitForEvent('dialog');
    await page.close({ runBeforeUnload: true });
    const question = await asking;
    expect(question.type()).toBe('beforeunload');
    await question.dismiss();
    await button(page, 'Cancel').click();
    await page.getByText('The request was cancelled.').waitFor();
  });

  it('ends with the result of a tool that reports progress', async () => {
    const { page } = await openTool('x_everything_trigger-long-running-operation');
    await page.getByLabel('duration').fill('1');
    await call(page);
    await page.getByText('Long running operation completed.').waitFor();
  });
});
