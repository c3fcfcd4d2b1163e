import { NativeSelect, Stack, Text } from '@mantine/core';
import { choose, isChosen, isEmpty, type PresetCard } from '@gateway/toolset-composer';
import type { ReactNode } from 'react';
import { AddSelector } from './add-selector.tsx';
import type { ComposeProps } from './compose-props.ts';
import { ToolsetChips, ToolsetProblems } from './toolset-chips.tsx';

/** The properties of {@link ToolsetEditor}. */
export interface ToolsetEditorProps extends ComposeProps {
  /** The presets that can be added. */
  readonly presets: readonly PresetCard[];
}

/** A toolset in little space: its selectors, a choice of presets, and a field for other selectors. */
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
