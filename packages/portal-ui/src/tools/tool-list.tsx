import { Group, ScrollArea, Text } from '@mantine/core';
import { useVirtualizer } from '@tanstack/react-virtual';
import type { CatalogTool } from '@gateway/toolset-composer';
import { useRef, type CSSProperties, type ReactNode } from 'react';
import { ToolMarks } from './tool-marks.tsx';

const ROW_PX = 52;
const OVERSCAN = 8;

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

/** Places a row in the list, which has the height of all rows. */
const rowStyle = (start: number): CSSProperties => ({
  position: 'absolute',
  insetInline: 0,
  top: 0,
  height: ROW_PX,
  transform: `translateY(${start}px)`,
});

/** A list of tools. Only the visible rows are in the page, so that thousands of tools scroll without delay. */
export const ToolList = (props: ToolListProps): ReactNode => {
  const { tools, label, maxHeight = 480, renderName } = props;
  const viewport = useRef<HTMLDivElement>(null);
  const rows = useVirtualizer({
    count: tools.length,
    getScrollElement: () => viewport.current,
    estimateSize: () => ROW_PX,
    overscan: OVERSCAN,
  });
  const height = { height: rows.getTotalSize(), position: 'relative' } as const;
  const shown = rows.getVirtualItems().flatMap(({ index, start }) => {
    const tool = tools[index];
    return tool === undefined ? [] : [{ tool, index, start }];
  });
  return (
    <ScrollArea.Autosize mah={maxHeight} viewportRef={viewport} viewportProps={{ tabIndex: 0 }}>
      <div role="list" aria-label={label} style={height}>
        {shown.map(({ tool, index, start }) => (
          <div
            key={tool.name}
            role="listitem"
            aria-posinset={index + 1}
            aria-setsize={tools.length}
            style={rowStyle(start)}
          >
            <ToolRow tool={tool} renderName={renderName} />
          </div>
        ))}
      </div>
    </ScrollArea.Autosize>
  );
};
