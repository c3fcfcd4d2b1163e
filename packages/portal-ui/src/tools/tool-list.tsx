import { Group, Text } from '@mantine/core';
import type { CatalogTool } from '@gateway/toolset-composer';
import type { ReactNode } from 'react';
import { ToolMarks } from './tool-marks.tsx';
import { narrowNameHeight, ToolName, useNarrowNames } from './tool-name.tsx';
import { VirtualRows } from './virtual-rows.tsx';

/** The properties of {@link ToolList}. */
export interface ToolListProps {
  readonly tools: readonly CatalogTool[];
  /** Names the list for assistive technology. */
  readonly label: string;
  /** The largest height in pixels; longer lists scroll. */
  readonly maxHeight?: number;
  /** The list is in a narrow part of the page: names have more lines, as they have in a narrow window. */
  readonly isNarrow?: boolean;
  /** Renders the name, for example as a link. */
  readonly renderName?: (tool: CatalogTool) => ReactNode;
}

/** Pixels of the line below the name, and of the space between two rows. */
const DESCRIPTION_PX = 34;

const narrowHeight = ({ name }: CatalogTool): number => narrowNameHeight(name) + DESCRIPTION_PX;

interface ToolRowProps {
  readonly tool: CatalogTool;
  readonly renderName: ToolListProps['renderName'];
}

const Description = ({ tool }: Pick<ToolRowProps, 'tool'>): ReactNode => (
  <Text component="bdi" size="xs" c="dimmed" truncate display="block">
    {tool.description}
  </Text>
);

const Name = ({
  tool,
  renderName,
  isNarrow,
}: ToolRowProps & { readonly isNarrow: boolean }): ReactNode => (
  <ToolName isNarrow={isNarrow}>{renderName === undefined ? tool.name : renderName(tool)}</ToolName>
);

const WideRow = (props: ToolRowProps): ReactNode => (
  <>
    <Group gap="xs" wrap="nowrap">
      <Name {...props} isNarrow={false} />
      <ToolMarks tool={props.tool} />
    </Group>
    <Description tool={props.tool} />
  </>
);

const NarrowRow = (props: ToolRowProps): ReactNode => (
  <>
    <Name {...props} isNarrow />
    <Group gap="xs" wrap="nowrap">
      <ToolMarks tool={props.tool} />
      <Description tool={props.tool} />
    </Group>
  </>
);

/** A list of tools. Only the visible rows are in the page, so that thousands of tools scroll without delay. */
export const ToolList = (props: ToolListProps): ReactNode => {
  const { tools, label, maxHeight = 480, renderName } = props;
  const isNarrowWindow = useNarrowNames();
  const isNarrow = props.isNarrow === true || isNarrowWindow;
  const ToolRow = isNarrow ? NarrowRow : WideRow;
  return (
    <VirtualRows
      items={tools}
      keyOf={({ name }) => name}
      renderItem={(tool) => <ToolRow tool={tool} renderName={renderName} />}
      label={label}
      maxHeight={maxHeight}
      {...(isNarrow && { heightOf: narrowHeight })}
    />
  );
};
