import { Card, Group, Stack, Text, Title } from '@mantine/core';
import { isEmpty, MAX_INLINE_SELECTORS, type Resolution } from '@gateway/toolset-composer';
import type { ReactNode } from 'react';
import { ResolvedTools } from '../tools/resolved-tools.tsx';
import type { ComposeProps } from './compose-props.ts';
import { ToolsetChips, ToolsetProblems } from './toolset-chips.tsx';

/** The properties of {@link ComposedToolset}. */
export interface ComposedToolsetProps extends ComposeProps {
  /** The resolution of the toolset for the person who composes it. */
  readonly resolution: Resolution;
  /** Offers of sign-in, below the chips. */
  readonly children?: ReactNode;
}

/** The toolset as it is composed now: its selectors, their problems, and the tools that they resolve to. */
export const ComposedToolset = (props: ComposedToolsetProps): ReactNode => {
  const { composition, resolution, children } = props;
  const count = composition.selectors.length;
  return (
    <Card withBorder component="section" aria-label="Toolset">
      <Stack gap="sm">
        <Group justify="space-between">
          <Title order={3} size="h5">
            Toolset
          </Title>
          <Text size="sm" role="status">{`${count} of ${MAX_INLINE_SELECTORS} selectors`}</Text>
        </Group>
        {isEmpty(composition) ? (
          <Text size="sm">
            Nothing is chosen: the agent has no tools and can only chat. The release declares
            preset:none.
          </Text>
        ) : (
          <ToolsetChips {...props} />
        )}
        <ToolsetProblems composition={composition} />
        {children}
        <ResolvedTools resolution={resolution} />
      </Stack>
    </Card>
  );
};
