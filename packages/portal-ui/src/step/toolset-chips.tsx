import { Alert, Group, List, Pill, Text } from '@mantine/core';
import {
  formatError,
  remove,
  selectorProblems,
  sizeProblem,
  type Composition,
} from '@gateway/toolset-composer';
import type { ReactNode } from 'react';
import type { ComposeProps } from './compose-props.ts';

/** The properties of {@link ToolsetChips}. */
export interface ToolsetChipsProps extends ComposeProps {
  /** The problems of selectors, by selector. */
  readonly marks?: ReadonlyMap<string, string>;
}

/** The chosen selectors, each with the way to remove it. */
export const ToolsetChips = ({ composition, onChange, marks }: ToolsetChipsProps): ReactNode => (
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
        {marks?.has(selector) === true && (
          <Text span inherit c="red">{` ${marks.get(selector) ?? ''}`}</Text>
        )}
      </Pill>
    ))}
  </Group>
);

/** The reasons why a toolset cannot be declared; nothing for one that can. */
export const ToolsetProblems = ({
  composition,
}: {
  readonly composition: Composition;
}): ReactNode => {
  const size = sizeProblem(composition);
  const problems = selectorProblems(composition).map(formatError);
  return (
    <>
      {size !== undefined && (
        <Alert color="red" role="alert" title="Too many selectors — define a preset">
          {formatError(size)}
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
