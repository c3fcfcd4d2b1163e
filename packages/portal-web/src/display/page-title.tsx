import { Title } from '@mantine/core';
import { useEffect, type ReactNode } from 'react';
import { useLostFocus } from './lost-focus.ts';

/** The title of the window before a page has one. */
const PORTAL = 'Portal';
/** Names of servers and tools can be long; windows and tabs show the beginning. */
const MAX_CHARS = 100;

const useWindowTitle = (text: string): void => {
  useEffect(() => {
    document.title = text;
    return () => {
      document.title = PORTAL;
    };
  }, [text]);
};

/**
 * The heading of a page, which is also the title of the window. It receives the focus when its page replaces the one with the focus, so
 * that a screen reader and the Tab key continue there. WCAG 2.2, 2.4.2
 */
export const PageTitle = ({
  title,
  kind,
  isCode = false,
  children,
}: {
  readonly title: string;
  /** The kind of thing that the page shows, when the title is the name of something. */
  readonly kind?: string;
  /** The title is the name of a tool. */
  readonly isCode?: boolean;
  /** The heading with more than text; the title when absent. */
  readonly children?: ReactNode;
}): ReactNode => {
  const heading = useLostFocus<HTMLHeadingElement>(title);
  const shown = title.slice(0, MAX_CHARS);
  useWindowTitle([shown, ...(kind === undefined ? [] : [kind]), PORTAL].join(' – '));
  return (
    <Title
      order={1}
      size="h3"
      ref={heading}
      tabIndex={-1}
      style={{ overflowWrap: 'anywhere' }}
      {...(isCode && { ff: 'monospace' })}
    >
      {children ?? <bdi>{title}</bdi>}
    </Title>
  );
};
