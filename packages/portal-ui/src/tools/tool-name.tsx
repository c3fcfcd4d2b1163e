import { Text } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import type { ReactNode } from 'react';

/** The width of a window in which the names of most tools are longer than a line. */
const NARROW = '(max-width: 48em)';

/** Returns whether the names of tools need more than one line. */
export const useNarrowNames = (): boolean =>
  useMediaQuery(NARROW, false, { getInitialValueInEffect: false });

const LINE_PX = 22;

interface NameLines {
  /** The most lines. */
  readonly lines: number;
  /** The characters of a line. */
  readonly chars: number;
}

/** The lines of a name in a window of 360 pixels. */
const LINES: NameLines = { lines: 2, chars: 30 };

/** Returns the height in pixels that {@link ToolName} needs in a narrow window of at least 360 pixels. */
export const narrowNameHeight = (name: string, { lines, chars } = LINES): number =>
  LINE_PX * Math.max(1, Math.min(lines, Math.ceil(name.length / chars)));

/** The name of a tool in one line. In a narrow window it has more lines, so that it can be read without opening the tool. */
export const ToolName = ({
  isNarrow,
  lines = 2,
  children,
}: {
  readonly isNarrow: boolean;
  /** The most lines in a narrow window. */
  readonly lines?: number;
  readonly children: ReactNode;
}): ReactNode => (
  <Text
    component="bdi"
    ff="monospace"
    size="sm"
    display={isNarrow ? undefined : 'block'}
    {...(isNarrow ? { lineClamp: lines, style: { overflowWrap: 'anywhere' } } : { truncate: true })}
  >
    {children}
  </Text>
);
