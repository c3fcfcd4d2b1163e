import { Button, Checkbox, Group, Stack, Text } from '@mantine/core';
import {
  isChosen,
  selectorOfTool,
  toggle,
  type CatalogRow,
  type CatalogTool,
} from '@gateway/toolset-composer';
import { useState, type ReactNode } from 'react';
import { ToolMarks } from '../tools/tool-marks.tsx';
import { narrowNameHeight, ToolName, useNarrowNames } from '../tools/tool-name.tsx';
import { VirtualRows } from '../tools/virtual-rows.tsx';
import type { ComposeProps } from './compose-props.ts';

/** The number of tools that are shown before a person asks for all. */
const FIRST = 20;
const MAX_HEIGHT_PX = 480;
/** Pixels of the line below the name, and of the space between two rows. */
const DESCRIPTION_PX = 34;
/** The lines of a name next to a checkbox in a narrow window, and their characters. */
const NAME = { lines: 3, chars: 22 } as const;

const narrowHeight = ({ name }: CatalogTool): number =>
  narrowNameHeight(name, NAME) + DESCRIPTION_PX;

const wrapperStyles = { labelWrapper: { minWidth: 0, flex: 1 } } as const;

const Description = ({
  tool,
  isNarrow,
}: {
  readonly tool: CatalogTool;
  readonly isNarrow: boolean;
}): ReactNode => (
  <Group gap="xs" wrap="nowrap">
    {isNarrow && <ToolMarks tool={tool} />}
    <Text size="xs" component="bdi" truncate display="block">
      {tool.description}
    </Text>
  </Group>
);

const ToolChoice = ({
  tool,
  isIncluded,
  composition,
  onChange,
}: ComposeProps & { readonly tool: CatalogTool; readonly isIncluded: boolean }): ReactNode => {
  const selector = selectorOfTool(tool);
  const isNarrow = useNarrowNames();
  return (
    <Group gap="xs" wrap="nowrap" align="flex-start">
      <Checkbox
        flex={1}
        miw={0}
        size="sm"
        styles={wrapperStyles}
        checked={isIncluded || isChosen(composition, selector)}
        disabled={isIncluded}
        onChange={() => onChange(toggle(composition, selector))}
        label={
          <ToolName isNarrow={isNarrow} lines={NAME.lines}>
            {tool.name}
          </ToolName>
        }
        description={<Description tool={tool} isNarrow={isNarrow} />}
      />
      {!isNarrow && <ToolMarks tool={tool} />}
    </Group>
  );
};

/** The tools of a row of the catalog: the first 20, and all of them when the person asks for them. */
export const ToolChoices = ({
  row,
  label,
  ...compose
}: ComposeProps & { readonly row: CatalogRow; readonly label: string }): ReactNode => {
  const isNarrow = useNarrowNames();
  const [isComplete, setComplete] = useState(false);
  const { tools, selector } = row;
  const isIncluded = selector !== undefined && isChosen(compose.composition, selector);
  const choice = (tool: CatalogTool): ReactNode => (
    <ToolChoice key={tool.name} tool={tool} isIncluded={isIncluded} {...compose} />
  );
  if (isComplete)
    return (
      <VirtualRows
        items={tools}
        keyOf={({ name }) => name}
        renderItem={choice}
        label={label}
        maxHeight={MAX_HEIGHT_PX}
        {...(isNarrow && { heightOf: narrowHeight })}
      />
    );
  return (
    <Stack gap="xs">
      {tools.slice(0, FIRST).map(choice)}
      {tools.length > FIRST && (
        <Button variant="subtle" size="compact-sm" onClick={() => setComplete(true)}>
          {`Show all ${tools.length} tools`}
        </Button>
      )}
    </Stack>
  );
};
