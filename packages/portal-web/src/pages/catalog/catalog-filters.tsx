import { Button, Group, NativeSelect, SimpleGrid, Text } from '@mantine/core';
import { TOOL_GROUPS, TOOL_HINTS, TOOL_KINDS, type ToolFilter } from '@gateway/toolset-composer';
import type { ReactNode } from 'react';
import { toolCountText } from '../../queries/use-tools.ts';
import { isToolGroup, isToolHint, isToolKind } from '../../addresses/catalog-search.ts';

interface Choice {
  readonly value: string;
  readonly label: string;
}

const ANY: Choice = { value: '', label: 'Any' };
const GROUPS = TOOL_GROUPS.map(({ group, label }) => ({ value: group, label }));
const KINDS = TOOL_KINDS.map(({ kind, label }) => ({ value: kind, label }));
const HINTS = TOOL_HINTS.map(({ hint, label }) => ({ value: hint, label }));

const named = (name: string): Choice => ({ value: name, label: name });

const hintPart = (value: string): ToolFilter => (isToolHint(value) ? { hint: value } : {});
const kindPart = (value: string): ToolFilter => (isToolKind(value) ? { kind: value } : {});
const groupPart = (value: string): ToolFilter => (isToolGroup(value) ? { group: value } : {});
const serverPart = (value: string): ToolFilter => (value === '' ? {} : { server: value });

interface FilterSelectProps {
  readonly label: string;
  readonly choices: readonly Choice[];
  readonly value: string | undefined;
  readonly onChange: (value: string) => void;
}

/** A value of an address that is not offered is shown too, so that the filter in force can be seen. */
const FilterSelect = ({ label, choices, value = '', onChange }: FilterSelectProps): ReactNode => {
  const isOffered = value === '' || choices.some((choice) => choice.value === value);
  return (
    <NativeSelect
      label={label}
      value={value}
      data={[ANY, ...choices, ...(isOffered ? [] : [{ value, label: value }])]}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    />
  );
};

interface CatalogFiltersProps {
  readonly filter: ToolFilter;
  /** The names of the servers and families that are offered. */
  readonly servers: readonly string[];
  readonly onChange: (filter: ToolFilter) => void;
}

/** The filters of the catalog. Every part that is absent takes everything. */
export const CatalogFilters = ({ filter, servers, onChange }: CatalogFiltersProps): ReactNode => {
  const changed =
    (part: keyof ToolFilter, partOf: (value: string) => ToolFilter) =>
    (value: string): void => {
      const { [part]: _former, ...others } = filter;
      onChange({ ...others, ...partOf(value) });
    };
  const selects = [
    { label: 'Group', choices: GROUPS, part: 'group', partOf: groupPart },
    { label: 'Server', choices: servers.map(named), part: 'server', partOf: serverPart },
    { label: 'Kind', choices: KINDS, part: 'kind', partOf: kindPart },
    { label: 'Annotation', choices: HINTS, part: 'hint', partOf: hintPart },
  ] as const;
  return (
    <SimpleGrid cols={{ base: 2, md: 4 }} spacing="xs" role="group" aria-label="Filters">
      {selects.map(({ label, choices, part, partOf }) => (
        <FilterSelect
          key={part}
          label={label}
          choices={choices}
          value={filter[part]}
          onChange={changed(part, partOf)}
        />
      ))}
    </SimpleGrid>
  );
};

/** The number of tools that are shown, and the way back to all of them. */
export const FilterSummary = ({
  shown,
  total,
  onClear,
}: {
  readonly shown: number;
  readonly total: number;
  /** Absent without a filter. */
  readonly onClear?: (() => void) | undefined;
}): ReactNode => (
  <Group justify="space-between" mih={30}>
    <Text size="sm" role="status">
      {shown === total ? toolCountText(total) : `${shown} of ${toolCountText(total)}`}
    </Text>
    {onClear !== undefined && (
      <Button variant="default" size="xs" onClick={onClear}>
        Clear the filters
      </Button>
    )}
  </Group>
);
