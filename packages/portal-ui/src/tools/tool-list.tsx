import { Group, Text } from '@mantine/core';
import type { CatalogTool } from '@gateway/toolset-composer';
import type { ReactNode } from 'react';
import { ToolMarks } from './tool-marks.tsx';
import { VirtualRows } from './virtual-rows.tsx';

/** The properties of {@link ToolList}. */
export interface ToolListProps {
  readonly tools: readonly CatalogTool[];
  /** Names the list for assistive technology. */
  readonly label: string;
  /** The largest height in pixels; longer lists scroll. */
  readonly maxHeight?: number;
  /** Renders the name, for example as a link. */
  readonly renderName?: (tool: CatalogTool) => ReactNode;
}

const ToolRow = ({
  tool,
  renderName,
}: {
  readonly tool: CatalogTool;
  readonly renderName: ToolListProps['renderName'];
}): ReactNode => (
  <>
    <Group gap="xs" wrap="nowrap">
      <Text component="bdi" ff="monospace" size="sm" truncate>
        {renderName === undefined ? tool.name : renderName(tool)}
      </Text>
      <ToolMarks tool={tool} />
    </Group>
    <Text component="bdi" size="xs" c="dimmed" truncate display="block">
      {tool.description}
    </Text>
  </>
);

/** A list of tools. Only the visible rows are in the page, so that thousands of tools scroll without delay. */
export const ToolList = (props: ToolListProps): ReactNode => {
  const { tools, label, maxHeight = 480, renderName } = props;
  return (
    <VirtualRows
      items={tools}
      keyOf={({ name }) => name}
      renderItem={(tool) => <ToolRow tool={tool} renderName={renderName} />}
      label={label}
      maxHeight={maxHeight}
    />
  );
};
