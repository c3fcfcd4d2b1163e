import {
  addText,
  choose,
  type Composition,
  formatError,
  isChosen,
  isEmpty,
  type PresetCard,
  remove,
  listSelectorProblems,
  validateSize,
} from '@gateway/toolset-composer';
import { Alert, Button, Group, Input, List, NativeSelect, Pill, Stack, Text } from '@mantine/core';
import { type ReactNode, type SubmitEvent, useId, useState } from 'react';

/** The composed toolset and the callback for its changes. */
export interface ComposeProps {
  readonly composition: Composition;
  readonly onChange: (composition: Composition) => void;
}

/** The properties of {@link ToolsetChips}. */
interface ToolsetChipsProps extends ComposeProps {
  /** The problems of selectors, by selector. */
  readonly marks?: ReadonlyMap<string, string>;
}

/** The chosen selectors, each with a button to remove it. */
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

/** The problems of an invalid toolset; empty for a valid toolset. */
export const ToolsetProblems = ({
  composition,
}: {
  readonly composition: Composition;
}): ReactNode => {
  const size = validateSize(composition);
  const problems = listSelectorProblems(composition).map(formatError);
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

const MAX_CHARS = 1_024;

/** Adds a selector that the user types. */
export const AddSelector = ({ composition, onChange }: ComposeProps): ReactNode => {
  const id = useId();
  const [text, setText] = useState('');
  const [problem, setProblem] = useState<string>();
  const add = (event: SubmitEvent): void => {
    event.preventDefault();
    const added = addText(composition, text);
    setProblem(added.ok ? undefined : formatError(added.error));
    if (!added.ok) return;
    onChange(added.value);
    setText('');
  };
  return (
    <form onSubmit={add} noValidate>
      <Input.Wrapper
        id={id}
        label="Add a selector by name"
        description="preset:, server:, workflow: or tool: with the exact name"
        error={problem}
      >
        <Group gap="xs" wrap="nowrap" align="flex-end">
          <Input
            id={id}
            flex={1}
            miw={0}
            maxLength={MAX_CHARS}
            autoComplete="off"
            spellCheck={false}
            value={text}
            error={problem}
            onChange={({ currentTarget }) => setText(currentTarget.value)}
          />
          <Button type="submit" variant="default">
            Add
          </Button>
        </Group>
      </Input.Wrapper>
    </form>
  );
};

/** The properties of {@link ToolsetEditor}. */
export interface ToolsetEditorProps extends ComposeProps {
  /** The presets that can be added. */
  readonly presets: readonly PresetCard[];
}

/** A compact toolset editor: the selectors, a list of presets, and a field for other selectors. */
export const ToolsetEditor = (props: ToolsetEditorProps): ReactNode => {
  const { composition, onChange, presets } = props;
  const offered = presets.filter(({ selector }) => !isChosen(composition, selector));
  return (
    <Stack gap="sm">
      {isEmpty(composition) ? (
        <Text size="sm">Add a preset or a selector to see what it selects.</Text>
      ) : (
        <ToolsetChips composition={composition} onChange={onChange} />
      )}
      <ToolsetProblems composition={composition} />
      <NativeSelect
        label="Add a preset"
        value=""
        data={[
          { value: '', label: 'Choose a preset' },
          ...offered.map(({ selector, label }) => ({ value: selector, label })),
        ]}
        onChange={({ currentTarget: { value } }) => {
          if (value !== '') onChange(choose(composition, value));
        }}
      />
      <AddSelector composition={composition} onChange={onChange} />
    </Stack>
  );
};
