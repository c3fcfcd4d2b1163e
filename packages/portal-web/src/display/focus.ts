import { type RefObject, useEffect, useRef, useState } from 'react';

/** The element that had the focus last. A browser gives the focus to the whole document when that element disappears. */
let last: Element | undefined;

const remember = ({ target }: FocusEvent): void => {
  if (target instanceof Element) last = target;
};

/** Remembers which element has the focus. Returns what ends that. */
export const watchFocus = (): (() => void) => {
  document.addEventListener('focusin', remember);
  return () => document.removeEventListener('focusin', remember);
};

const isUnusable = (element: Element): boolean =>
  !element.isConnected || element.matches(':disabled, [inert] *');

/** Returns whether the element with the focus has disappeared or was disabled, so that the next Tab would begin at the top of the page. */
const isFocusLost = (): boolean => {
  const { activeElement } = document;
  const isNowhere =
    activeElement === null || activeElement === document.body || isUnusable(activeElement);
  return isNowhere && last !== undefined && isUnusable(last);
};

/**
 * Returns the reference of an element which receives the focus when a change of the page took it away. WCAG 2.2, 2.4.3
 *
 * @param state changes when the page does; a focus on another element stays there
 */
export const useFocusRecovery = <T extends HTMLElement>(state: unknown): RefObject<T | null> => {
  const element = useRef<T>(null);
  useEffect(() => {
    if (isFocusLost()) element.current?.focus({ preventScroll: true });
  }, [state]);
  return element;
};

/** Gives the focus back, when the component disappears, to the element that had it before, unless that element has disappeared or was disabled. */
export const useFocusReturn = (): void => {
  const [before] = useState(() => document.activeElement);
  useEffect(
    () => () => {
      if (before instanceof HTMLElement) before.focus({ preventScroll: true });
    },
    [before],
  );
};
