import {
  ActionIcon,
  Box,
  Button,
  Group,
  Menu,
  Stack,
  Table,
  Text,
  UnstyledButton,
} from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import {
  columnGroupingFeature,
  createExpandedRowModel,
  createGroupedRowModel,
  createSortedRowModel,
  rowExpandingFeature,
  rowSortingFeature,
  sortFn_alphanumeric,
  tableFeatures,
  useTable,
} from '@tanstack/react-table';
import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { type ReactNode, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { SearchField } from '../addresses/address-fields.tsx';
import { formatCount } from './page-parts.tsx';

const FEATURES = tableFeatures({
  columnGroupingFeature,
  groupedRowModel: createGroupedRowModel(),
  rowSortingFeature,
  sortedRowModel: createSortedRowModel(),
  rowExpandingFeature,
  expandedRowModel: createExpandedRowModel(),
  sortFns: { alphanumeric: sortFn_alphanumeric },
});

/** A column of a {@link DataTable}. */
export interface Column<T> {
  /** Names the column in the address. */
  readonly id: string;
  readonly label: string;
  readonly render: (record: T) => ReactNode;
  /** Returns what rows are sorted by; without it the column cannot be sorted. */
  readonly sortBy?: (record: T) => string | number | undefined;
  /** The width in pixels. Columns without one share the rest. */
  readonly w?: number;
  /** Left out in a narrow window. */
  readonly isWide?: boolean;
}

/** A filter whose value is in the address, under its key. */
export interface Filter<T> {
  readonly key: string;
  readonly label: string;
  /** The values that are offered; those of the records when absent. */
  readonly choices?: readonly { readonly value: string; readonly label: string }[];
  /** Returns the values of a record. Absent where the records are filtered before. */
  readonly valuesOf?: (record: T) => readonly string[];
}

/** Something that can be done with a record: a link, or a function. */
export interface RowAction {
  readonly label: string;
  readonly color?: 'red';
  readonly onClick: () => void;
}

interface DataTableProps<T> {
  /** Names the table for assistive technology. */
  readonly label: string;
  /** One record, such as `server`. */
  readonly noun: string;
  readonly records: readonly T[];
  readonly recordKey: (record: T) => string;
  readonly columns: readonly Column<T>[];
  readonly filters?: readonly Filter<T>[];
  /** The label of the field for words; without it there is no field. */
  readonly searchLabel?: string;
  /** Returns the text in which words are searched; absent where the records are searched before. */
  readonly textOf?: (record: T) => string;
  /** Returns the group of a record, and shows the records in groups that can be closed. */
  readonly groupBy?: ((record: T) => string) | undefined;
  readonly listActions?: (record: T) => readonly RowAction[];
  /** The number of all records, where `records` are fewer. */
  readonly total?: number;
  /** Shown where there is no record at all. */
  readonly empty?: ReactNode;
  /** Shown where filters and words leave nothing. */
  readonly nothing?: ReactNode;
  /** Further parts of the line above the table. */
  readonly children?: ReactNode;
}

/** The parameters of an address that a table reads. */
type TableSearch = Readonly<Record<string, unknown>>;

/** Returns the table's part of the address and the function that changes it. An empty text removes a parameter. */
export const useTableSearch = (): readonly [
  TableSearch,
  (changes: Readonly<Record<string, string | number>>) => void,
] => {
  const search: TableSearch = useSearch({ strict: false });
  const navigate = useNavigate();
  return [
    search,
    (changes) =>
      void navigate({
        to: '.',
        search: (before: TableSearch) =>
          Object.fromEntries(
            Object.entries({ ...before, ...changes }).filter(([, value]) => value !== ''),
          ),
        // Words change with each key.
        replace: 'query' in changes,
        resetScroll: false,
      }),
  ];
};

/** Returns the records that pass the filters and contain all words. */
export const filterRecords = <T,>(
  records: readonly T[],
  { filters = [], textOf }: Pick<DataTableProps<T>, 'filters' | 'textOf'>,
  search: TableSearch,
): readonly T[] => {
  const { query } = search;
  const words = typeof query === 'string' ? query.toLowerCase().split(/\s+/u) : [];
  const wanted = filters.flatMap(({ key, valuesOf }) => {
    const value = search[key];
    return valuesOf === undefined || typeof value !== 'string' ? [] : [{ value, valuesOf }];
  });
  return records.filter((record) => {
    const text = textOf?.(record).toLowerCase();
    return (
      wanted.every(({ value, valuesOf }) => valuesOf(record).includes(value)) &&
      (text === undefined || words.every((word) => text.includes(word)))
    );
  });
};

/** A filter as a chip: it shows its value, and opens the choices with the number of records of each. */
const FilterChip = <T,>({
  filter: { key, label, choices, valuesOf },
  records,
}: {
  readonly filter: Filter<T>;
  readonly records: readonly T[];
}): ReactNode => {
  const [search, change] = useTableSearch();
  const { [key]: value } = search;
  const counts = useMemo(() => {
    const found = new Map<string, number>();
    for (const one of records.flatMap((record) => valuesOf?.(record) ?? []))
      found.set(one, (found.get(one) ?? 0) + 1);
    return found;
  }, [records, valuesOf]);
  const offered =
    choices ?? [...counts.keys()].toSorted().map((name) => ({ value: name, label: name }));
  const shown = offered.find((choice) => choice.value === value)?.label ?? value;
  return (
    <Menu position="bottom-start" shadow="md">
      <Menu.Target>
        <Button
          size="xs"
          radius="xl"
          fw={500}
          maw={280}
          variant={value === undefined ? 'default' : 'light'}
        >
          <bdi>{value === undefined ? label : `${label}: ${String(shown)}`}</bdi>
        </Button>
      </Menu.Target>
      <Menu.Dropdown mah={400} style={{ overflowY: 'auto' }}>
        <Menu.Item onClick={() => change({ [key]: '' })}>Any</Menu.Item>
        {offered.map((choice) => (
          <Menu.Item
            key={choice.value}
            {...(valuesOf !== undefined && {
              rightSection: <Text size="xs">{counts.get(choice.value) ?? 0}</Text>,
            })}
            onClick={() => change({ [key]: choice.value })}
          >
            <bdi>{choice.label}</bdi>
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
};

const Toolbar = <T,>({
  props: { filters = [], searchLabel, noun, records, total = records.length, children },
  shown,
}: {
  readonly props: DataTableProps<T>;
  readonly shown: number;
}): ReactNode => {
  const [search, change] = useTableSearch();
  const { query } = search;
  const active = filters.filter(({ key }) => search[key] !== undefined);
  return (
    <Group gap="xs">
      {searchLabel !== undefined && (
        <SearchField
          aria-label={searchLabel}
          placeholder={`${searchLabel}  ( / )`}
          size="xs"
          w={{ base: '100%', xs: 280 }}
          query={typeof query === 'string' ? query : undefined}
          onSearch={(text) => change({ query: text })}
        />
      )}
      <Group gap="xs" role="group" aria-label="Filters">
        {filters.map((filter) => (
          <FilterChip key={filter.key} filter={filter} records={records} />
        ))}
      </Group>
      {(active.length > 0 || query !== undefined) && (
        <Button
          size="xs"
          variant="subtle"
          onClick={() =>
            change(
              Object.fromEntries(
                ['query', ...active.map(({ key }) => key)].map((key) => [key, '']),
              ),
            )
          }
        >
          Clear the filters
        </Button>
      )}
      {children}
      <Text size="sm" c="dimmed" role="status" ms="auto">
        {shown === total ? formatCount(total, noun) : `${shown} of ${formatCount(total, noun)}`}
      </Text>
    </Group>
  );
};

/** Below this width of the window, the values of a row are in two lines. */
const NARROW = '(max-width: 48em)';
const ROW_PX = 48;
const NARROW_ROW_PX = 84;
const ACTIONS_PX = 48;
const OVERSCAN = 12;
/** The header of the page, below which the header of the table stays. */
const HEADER_PX = 52;

const DESCENDING = '-';

/** Returns the column of a parameter such as `name` or `-name`. */
const parseSort = (sort: unknown): readonly { readonly id: string; readonly desc: boolean }[] =>
  typeof sort === 'string'
    ? [sort.startsWith(DESCENDING) ? { id: sort.slice(1), desc: true } : { id: sort, desc: false }]
    : [];

/** The orders of a column: its sign, and the parameter that leads to the next order. */
const ORDERS = {
  ascending: { sort: 'ascending', sign: ' ↑', toNext: (id: string) => `${DESCENDING}${id}` },
  descending: { sort: 'descending', sign: ' ↓', toNext: () => '' },
} as const;
const UNSORTED = { sort: undefined, sign: '', toNext: (id: string) => id };

const HeaderCell = <T,>({
  column,
  w,
}: {
  readonly column: Column<T>;
  readonly w: number | undefined;
}): ReactNode => {
  const [search, change] = useTableSearch();
  const [sorted] = parseSort(search['sort']);
  const order =
    sorted?.id === column.id ? ORDERS[sorted.desc ? 'descending' : 'ascending'] : UNSORTED;
  return (
    <Table.Th
      {...(w !== undefined && { w })}
      {...(order.sort !== undefined && { 'aria-sort': order.sort })}
    >
      {column.sortBy === undefined ? (
        column.label
      ) : (
        <UnstyledButton fz="sm" fw={600} onClick={() => change({ sort: order.toNext(column.id) })}>
          {column.label}
          <Text span aria-hidden c="dimmed">
            {order.sign}
          </Text>
        </UnstyledButton>
      )}
    </Table.Th>
  );
};

const LINE = { overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap' } as const;

/** The values of a record in two lines. */
const NarrowCell = <T,>({
  record,
  columns: [first, ...others],
}: {
  readonly record: T;
  readonly columns: readonly Column<T>[];
}): ReactNode => (
  <Table.Td>
    <Box style={{ overflowWrap: 'anywhere' }}>{first?.render(record)}</Box>
    <Group gap="xs" wrap="nowrap" fz="xs" mt={8} style={LINE}>
      {others
        .filter(({ isWide = false }) => !isWide)
        .map(({ id, w, render }) => (
          <Box key={id} miw={0} style={LINE} flex={w === undefined ? 1 : 'none'}>
            {render(record)}
          </Box>
        ))}
    </Group>
  </Table.Td>
);

const ActionsCell = ({ actions }: { readonly actions: readonly RowAction[] }): ReactNode => (
  <Table.Td p={4}>
    {actions.length > 0 && (
      <Menu position="bottom-end" shadow="md">
        <Menu.Target>
          <ActionIcon variant="subtle" color="gray" aria-label="Actions">
            ⋯
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          {actions.map(({ label, ...action }) => (
            <Menu.Item key={label} {...action}>
              {label}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
    )}
  </Table.Td>
);

/** Space of the rows above and below those in the window. */
const Spacer = ({ h }: { readonly h: number }): ReactNode =>
  h <= 0 ? null : (
    <tr aria-hidden style={{ height: h }}>
      <td />
    </tr>
  );

/** A record as the table library takes it. */
interface Entry<T> {
  readonly record: T;
}

/** Returns the rows of a table, sorted and grouped as the address and the properties say. */
const useRows = <T,>({ columns, recordKey, groupBy }: DataTableProps<T>, records: readonly T[]) => {
  const [{ sort }] = useTableSearch();
  const data = useMemo(() => records.map((record) => ({ record })), [records]);
  const definitions = useMemo(
    () => [
      { id: 'group', accessorFn: ({ record }: Entry<T>) => groupBy?.(record) ?? '' },
      ...columns.map(({ id, sortBy }) => ({
        id,
        accessorFn: ({ record }: Entry<T>) => sortBy?.(record),
        sortUndefined: 'last' as const,
        enableSorting: sortBy !== undefined,
      })),
    ],
    [columns, groupBy],
  );
  const known = new Set(columns.map(({ id }) => id));
  const table = useTable({
    features: FEATURES,
    columns: definitions,
    data,
    getRowId: ({ record }) => recordKey(record),
    initialState: { expanded: true },
    autoResetExpanded: false,
    state: {
      sorting: parseSort(sort).filter(({ id }) => known.has(id)),
      grouping: groupBy === undefined ? [] : ['group'],
    },
  });
  return table.getRowModel().rows;
};

const GroupRow = ({
  name,
  count,
  isOpen,
  span,
  h,
  onToggle,
}: {
  readonly name: string;
  /** The number of its records. */
  readonly count: number;
  readonly isOpen: boolean;
  /** The number of columns. */
  readonly span: number;
  readonly h: number;
  readonly onToggle: () => void;
}): ReactNode => (
  <Table.Tr h={h} bg="var(--mantine-color-default-hover)">
    <Table.Th colSpan={span} scope="rowgroup" style={LINE}>
      <UnstyledButton fz="sm" fw={600} aria-expanded={isOpen} onClick={onToggle}>
        <Text span aria-hidden c="dimmed" size="xs">
          {isOpen ? '▾ ' : '▸ '}
        </Text>
        <bdi>{name}</bdi>
        <Text span c="dimmed" size="sm" fw={400}>{` ${count}`}</Text>
      </UnstyledButton>
    </Table.Th>
  </Table.Tr>
);

/** Only the rows in the window are in the page, so that thousands of rows scroll without delay. */
const Rows = <T,>({
  props,
  records,
}: {
  readonly props: DataTableProps<T>;
  readonly records: readonly T[];
}): ReactNode => {
  const { label, columns, listActions } = props;
  const isNarrow = useMediaQuery(NARROW, false, { getInitialValueInEffect: false });
  const rows = useRows(props, records);
  const height = isNarrow ? NARROW_ROW_PX : ROW_PX;
  const element = useRef<HTMLTableElement>(null);
  const [scrollMargin, setMargin] = useState(0);
  useLayoutEffect(() => {
    setMargin((element.current?.getBoundingClientRect().top ?? 0) + window.scrollY);
  }, [rows.length]);
  const virtual = useWindowVirtualizer({
    count: rows.length,
    estimateSize: () => height,
    overscan: OVERSCAN,
    scrollMargin,
  });
  const items = virtual.getVirtualItems();
  const above = items[0]?.index ?? 0;
  const below = rows.length - 1 - (items.at(-1)?.index ?? -1);
  const span = (isNarrow ? 1 : columns.length) + (listActions === undefined ? 0 : 1);
  return (
    <Table
      ref={element}
      aria-label={label}
      aria-rowcount={rows.length + 1}
      layout="fixed"
      highlightOnHover
      stickyHeader
      stickyHeaderOffset={HEADER_PX}
      verticalSpacing={4}
    >
      <Table.Thead>
        <Table.Tr>
          {(isNarrow ? columns.slice(0, 1) : columns).map((column) => (
            <HeaderCell key={column.id} column={column} w={isNarrow ? undefined : column.w} />
          ))}
          {listActions !== undefined && <Table.Th w={ACTIONS_PX} aria-label="Actions" />}
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        <Spacer h={above * height} />
        {items.map(({ index }) => {
          const row = rows[index];
          if (row === undefined) return null;
          if (row.getIsGrouped())
            return (
              <GroupRow
                key={row.id}
                name={String(row.groupingValue)}
                count={row.subRows.length}
                isOpen={row.getIsExpanded()}
                span={span}
                h={height}
                onToggle={() => row.toggleExpanded()}
              />
            );
          return (
            <Table.Tr key={row.id} h={height} aria-rowindex={index + 2}>
              {isNarrow ? (
                <NarrowCell record={row.original.record} columns={columns} />
              ) : (
                columns.map(({ id, render }) => (
                  <Table.Td key={id} style={LINE}>
                    {render(row.original.record)}
                  </Table.Td>
                ))
              )}
              {listActions !== undefined && (
                <ActionsCell actions={listActions(row.original.record)} />
              )}
            </Table.Tr>
          );
        })}
        <Spacer h={below * height} />
      </Table.Tbody>
    </Table>
  );
};

/**
 * The table of all lists: columns to sort by, filters and words in the address, groups and actions of rows. Rows have a fixed height, and
 * values are cut at the width of their column.
 */
export const DataTable = <T,>(props: DataTableProps<T>): ReactNode => {
  const { records, filters, textOf, empty, nothing = 'Nothing passes the filters.' } = props;
  const [search] = useTableSearch();
  const shown = useMemo(
    () =>
      filterRecords(records, { ...(filters && { filters }), ...(textOf && { textOf }) }, search),
    [records, filters, textOf, search],
  );
  if (records.length === 0 && empty !== undefined) return empty;
  return (
    <Stack gap="xs">
      <Toolbar props={props} shown={shown.length} />
      {shown.length === 0 ? (
        <Text size="sm" py="md">
          {nothing}
        </Text>
      ) : (
        <Rows props={props} records={shown} />
      )}
    </Stack>
  );
};
