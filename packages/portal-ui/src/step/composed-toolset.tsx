import { Alert, Card, Group, List, Pill, Stack, Text, Title } from '@mantine/core';
import {
  isEmpty,
  MAX_INLINE_SELECTORS,
  problemText,
  remove,
  selectorProblems,
  sizeProblem,
  type Composition,
  type Resolution,
} from '@gateway/toolset-composer';
import type { ReactNode } from 'react';
import { ResolvedTools } from '../tools/resolved-tools.tsx';
import type { ComposeProps } from './compose-props.ts';

const Chips = ({ composition, onChange }: ComposeProps): ReactNode => (
  <Group gap="xs" role="list" aria-label="Chosen selectors">
    {composition.selectors.map((selector) => (
      <Pill
        key={selector}
        role="listitem"
        withRemoveButton
        onRemove={() => onChange(remove(composition, selector))}
        removeButtonProps={{
          'aria-label': `Remove ${selector}`,
          'aria-hidden': false,
          tabIndex: 0,
        }}
      >
        <bdi>{selector}</bdi>
      </Pill>
    ))}
  </Group>
);

const Problems = ({ composition }: { readonly composition: Composition }): ReactNode => {
  const size = sizeProblem(composition);
  const problems = selectorProblems(composition).map(problemText);
  return (
    <>
      {size !== undefined && (
        <Alert color="red" role="alert" title="Too many selectors — define a preset">
          {problemText(size)}
        </Alert>
      )}
      {problems.length > 0 && (
        <Alert color="red" role="alert" title="Some selectors cannot be declared">
          <List size="sm">
            {problems.map((problem) => (
              <List.Item key={problem}>{problem}</List.Item>
            ))}
          </List>
        </Alert>
      )}
    </>
  );
};

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
          <Chips {...props} />
        )}
        <Problems composition={composition} />
        {children}
        <ResolvedTools resolution={resolution} />
      </Stack>
    </Card>
  );
};
