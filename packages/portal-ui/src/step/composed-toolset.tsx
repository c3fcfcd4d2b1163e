import { Card, Group, Stack, Text, Title } from '@mantine/core';
import {
  CARD_TEXTS,
  isEmpty,
  MAX_INLINE_SELECTORS,
  type Resolution,
} from '@gateway/toolset-composer';
import type { ReactNode } from 'react';
import { ResolvedTools } from '../tools/resolved-tools.tsx';
import type { ComposeProps } from './compose-props.ts';
import { ToolsetChips, ToolsetProblems } from './toolset-chips.tsx';

/** The properties of {@link ComposedToolset}. */
export interface ComposedToolsetProps extends ComposeProps {
  /** The resolution of the toolset for the person who composes it. */
  readonly resolution: Resolution;
  /** The selectors of presets that the gateway does not have: it refuses a toolset with one. */
  readonly unknown: readonly string[];
  /** The resolution of the toolset without them. */
  readonly rest?: Resolution;
  /** Offers of sign-in, below the chips. */
  readonly children?: ReactNode;
}

const marksOf = ({
  unknown,
  rest,
  resolution,
}: ComposedToolsetProps): ReadonlyMap<string, string> => {
  const resolved = resolution.state === 'resolved' ? resolution : rest;
  const unmatched = resolved?.state === 'resolved' ? resolved.unmatched : [];
  return new Map([
    ...unmatched.map((selector) => [selector, CARD_TEXTS.unmatched] as const),
    ...unknown.map((selector) => [selector, '(unknown)'] as const),
  ]);
};

/** The tools of the toolset; without the presets that the gateway does not have when there are any. */
const Resolved = ({ unknown, rest, resolution }: ComposedToolsetProps): ReactNode => (
  <>
    <ResolvedTools resolution={resolution} isNarrow />
    {unknown.length > 0 && rest !== undefined && rest.state !== 'idle' && (
      <>
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          Without <bdi>{unknown.join(', ')}</bdi>:
        </Text>
        <ResolvedTools resolution={rest} isNarrow />
      </>
    )}
  </>
);

/** The toolset as it is composed now: its selectors, their problems, and the tools that they resolve to. */
export const ComposedToolset = (props: ComposedToolsetProps): ReactNode => {
  const { composition, children } = props;
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
          <ToolsetChips {...props} marks={marksOf(props)} />
        )}
        <ToolsetProblems composition={composition} />
        {children}
        <Resolved {...props} />
      </Stack>
    </Card>
  );
};
