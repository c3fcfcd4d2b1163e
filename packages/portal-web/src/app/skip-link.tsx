import { Button } from '@mantine/core';
import { useState, type ReactNode } from 'react';

const toContent = (): void => document.querySelector<HTMLElement>('main h1')?.focus();

/** Leads past the header and the navigation; visible while it has the focus. WCAG 2.2, 2.4.1 */
export const SkipLink = (): ReactNode => {
  const [hasFocus, setFocus] = useState(false);
  return (
    <Button
      size="xs"
      pos="fixed"
      top={12}
      left={12}
      style={{ zIndex: 300, ...(!hasFocus && { transform: 'translateY(-200%)' }) }}
      onFocus={() => setFocus(true)}
      onBlur={() => setFocus(false)}
      onClick={toContent}
    >
      Skip to the content
    </Button>
  );
};
