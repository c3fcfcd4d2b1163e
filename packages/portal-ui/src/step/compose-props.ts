import type { Composition } from '@gateway/toolset-composer';

/** The toolset being composed, and what receives the next one. */
export interface ComposeProps {
  readonly composition: Composition;
  readonly onChange: (composition: Composition) => void;
}
