import { retryAssertion } from '@gateway/repo-checks';
import type { Locator } from 'playwright-core';

const MOST_TABS = 80;

/** Runs in the page: whether the element has the focus, and whether the user can see that. */
const focusOf = (
  element: unknown,
): { readonly isFocused: boolean; readonly isVisible: boolean } => {
  const { matches } = Object.getPrototypeOf(element) as { matches: (selector: string) => boolean };
  return {
    isFocused: matches.call(element, ':focus'),
    isVisible: matches.call(element, ':focus-visible'),
  };
};

/** Presses Tab until an element has the focus, and checks that the focus is visible. */
export const tabTo = async (target: Locator): Promise<void> => {
  await target.waitFor();
  for (let tabs = 0; tabs < MOST_TABS; tabs += 1) {
    await target.page().keyboard.press('Tab');
    const { isFocused, isVisible } = await target.evaluate(focusOf);
    if (!isFocused) continue;
    if (!isVisible) throw new Error(`the focus is not visible: ${target.toString()}`);
    return;
  }
  throw new Error(`${MOST_TABS} times Tab did not reach ${target.toString()}`);
};

/** Moves the focus to an element with Tab, and presses a key there. */
export const pressAt = async (target: Locator, key: string): Promise<void> => {
  await tabTo(target);
  await target.page().keyboard.press(key);
};

/** Moves the focus to a field with Tab, and types a text. */
export const typeAt = async (target: Locator, text: string): Promise<void> => {
  await tabTo(target);
  await target.page().keyboard.type(text);
};

/** Waits until an element has the focus. */
export const untilFocused = async (target: Locator): Promise<void> => {
  await target.waitFor();
  await retryAssertion(async () => {
    if (!(await target.evaluate(focusOf)).isFocused)
      throw new Error(`the focus is elsewhere: ${target.toString()}`);
  });
};
