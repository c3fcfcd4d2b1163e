import { describe, expect, it } from 'vitest';
import { untilLoaded } from '../harness/layout.ts';
import { portalSuite } from '../harness/portal-suite.ts';

const { portal, open } = portalSuite();

const json = (value: unknown): string => encodeURIComponent(JSON.stringify(value));

const PATHS = [
  ...['agents', 'agents/default/notes', 'agents/new', 'agents/new?step=Tools'],
  ...['agents/default/notes/edit?step=Review', 'catalog?query=note', 'catalog/x_notes_create_note'],
  ...['catalog/x_notes_create_note?tab=try', 'catalog/x_notes_create_note?tab=changes'],
  `toolsets?left=${json(['preset:notes'])}&right=${json(['preset:read-only'])}`,
  ...['workflows', 'workflows/remember', 'runs', 'presets', 'presets/notes', 'servers'],
  ...['servers/notes-home', 'servers/new', 'events'],
];

/** Less than a movement of a quarter of the window by one line. */
const MAX_SHIFT = 0.005;

/** Adds up the movements that no input caused, as the browser reports them. */
const RECORD = `globalThis.shift = 0;
new PerformanceObserver((list) => {
  for (const { value, hadRecentInput } of list.getEntries()) if (!hadRecentInput) globalThis.shift += value;
}).observe({ type: 'layout-shift', buffered: true });`;

/** The browser reports a movement with the frame after it. */
const FRAMES = 'new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))';

describe('a page that loads', () => {
  it.each([360, 1280])('moves nothing that is in the window, %i pixels wide', async (width) => {
    const { page, context } = await open('', { width, height: 900 });
    await context.addInitScript(RECORD);
    const shifts = new Map<string, number>();
    for (const path of PATHS) {
      await page.goto(new URL(path, portal.url).href);
      await untilLoaded(page);
      await page.evaluate(FRAMES);
      shifts.set(path, await page.evaluate<number>('globalThis.shift'));
    }
    expect([...shifts].filter(([, shift]) => shift > MAX_SHIFT)).toEqual([]);
    expect(shifts.size).toBe(19);
  });

  it('is found to move where something is put above what is there', async () => {
    const { page, context } = await open('', { height: 900 });
    await context.addInitScript(RECORD);
    await page.goto(new URL('presets', portal.url).href);
    await untilLoaded(page);
    await page.evaluate(
      `${FRAMES}.then(() => document.querySelector('h1').style.setProperty('margin-top', '300px'))`,
    );
    await expect
      .poll(() => page.evaluate<number>('globalThis.shift'))
      .toBeGreaterThan(MAX_SHIFT * 10);
  });
});
