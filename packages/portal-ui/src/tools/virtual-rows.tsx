import { ScrollArea } from '@mantine/core';
import { useVirtualizer } from '@tanstack/react-virtual';
import {
  memo,
  useCallback,
  useRef,
  type CSSProperties,
  type ReactNode,
  type RefObject,
} from 'react';

const ROW_PX = 52;
const OVERSCAN = 8;

/** The properties of {@link VirtualRows}. */
export interface VirtualRowsProps<T> {
  readonly items: readonly T[];
  readonly getKey: (item: T) => string;
  readonly renderItem: (item: T) => ReactNode;
  /** Names the list for assistive technology. */
  readonly label: string;
  /** The largest height in pixels; longer lists scroll. */
  readonly maxHeight: number;
  /** Returns the height of the row of an item in pixels; of two lines when absent. */
  readonly getHeight?: (item: T) => number;
}

/** Places a row in the list, which has the height of all rows. */
const computeRowStyle = (start: number, height: number): CSSProperties => ({
  position: 'absolute',
  insetInline: 0,
  top: 0,
  height,
  transform: `translateY(${start}px)`,
});

interface RowProps<T> extends Pick<VirtualRowsProps<T>, 'renderItem'> {
  readonly item: T;
  readonly index: number;
  readonly count: number;
  readonly start: number;
  readonly height: number;
}

const Row = <T,>({ item, index, count, start, height, renderItem }: RowProps<T>): ReactNode => (
  <div
    role="listitem"
    aria-posinset={index + 1}
    aria-setsize={count}
    style={computeRowStyle(start, height)}
  >
    {renderItem(item)}
  </div>
);

/** Scrolling renders the list again for each frame, and with it only the rows that are new. */
const MemoizedRow = memo(Row) as typeof Row;

const getDefaultHeight = (): number => ROW_PX;

/** Positions of rows are computed again when a function changes, and not for each frame of scrolling. */
const useRows = <T,>(
  { items, getKey, getHeight = getDefaultHeight }: VirtualRowsProps<T>,
  viewport: RefObject<HTMLDivElement | null>,
) => {
  const estimateSize = useCallback(
    (index: number) => {
      const item = items[index];
      return item === undefined ? ROW_PX : getHeight(item);
    },
    [items, getHeight],
  );
  const getItemKey = useCallback(
    (index: number) => {
      const item = items[index];
      return item === undefined ? index : `${getKey(item)} ${estimateSize(index)}`;
    },
    [items, getKey, estimateSize],
  );
  return useVirtualizer({
    count: items.length,
    getScrollElement: () => viewport.current,
    estimateSize,
    getItemKey,
    overscan: OVERSCAN,
  });
};

/** A list of rows whose heights are known. Only the visible rows are in the page, so that thousands of rows scroll without delay. */
export const VirtualRows = <T,>(props: VirtualRowsProps<T>): ReactNode => {
  const { items, getKey, renderItem, label, maxHeight } = props;
  const viewport = useRef<HTMLDivElement>(null);
  const rows = useRows(props, viewport);
  const height = { height: rows.getTotalSize(), position: 'relative' } as const;
  const shown = rows.getVirtualItems().flatMap(({ index, start, size }) => {
    const item = items[index];
    return item === undefined ? [] : [{ item, index, start, height: size }];
  });
  return (
    <ScrollArea.Autosize mah={maxHeight} viewportRef={viewport} viewportProps={{ tabIndex: 0 }}>
      <div role="list" aria-label={label} style={height}>
        {shown.map((row) => (
          <MemoizedRow
            key={getKey(row.item)}
            {...row}
            count={items.length}
            renderItem={renderItem}
          />
        ))}
      </div>
    </ScrollArea.Autosize>
  );
};
