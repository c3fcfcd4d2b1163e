import { Text } from '@mantine/core';
import type { ReactNode } from 'react';

/** A fact with its name above it. */
export const Fact = ({
  label,
  size = 'md',
  children,
}: {
  readonly label: string;
  readonly size?: 'sm' | 'md';
  readonly children: ReactNode;
}): ReactNode => (
  <div>
    <Text size="sm" fw={600}>
      {label}
    </Text>
    <Text component="div" size={size} style={{ overflowWrap: 'anywhere' }}>
      {children}
    </Text>
  </div>
);
