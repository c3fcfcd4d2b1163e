import { Spoiler, Text } from '@mantine/core';
import type { ReactNode } from 'react';

const SPOILER_PX = 120;

/** Text from outside with its lines, of which the beginning is shown. */
export const LongText = ({ text }: { readonly text: string }): ReactNode => (
  <Spoiler maxHeight={SPOILER_PX} showLabel="Show all" hideLabel="Show less">
    <Text size="sm" style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
      <bdi>{text}</bdi>
    </Text>
  </Spoiler>
);
