import { NativeSelect, SimpleGrid, TextInput } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { readEventSearch, type EventSearch } from '../../addresses/server-search.ts';
import { useSearchText } from '../../addresses/use-search-text.ts';

const route = getRouteApi('/events');

const RESOURCES = [
  { value: '', label: 'Everything' },
  { value: 'MCPServer', label: 'Servers' },
  { value: 'Workflow', label: 'Workflows' },
  { value: 'Configuration', label: 'Configuration' },
];
const TYPES = [
  { value: '', label: 'All' },
  { value: 'Warning', label: 'Warnings' },
  { value: 'Normal', label: 'Normal' },
];
const TIMES = [
  { value: '', label: 'Any time' },
  { value: '10m', label: 'The last 10 minutes' },
  { value: '1h', label: 'The last hour' },
  { value: '24h', label: 'The last day' },
];

/** Returns the choices with that of a link which is none of them. */
const withCurrent = (choices: typeof TIMES, value = ''): typeof TIMES =>
  choices.some((choice) => choice.value === value)
    ? choices
    : [...choices, { value, label: value }];

/** The filters of the events, which are in the address of the page. */
export const EventFilters = (): ReactNode => {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const change = (key: keyof EventSearch, value: string): void => {
    void navigate({
      search: (before) => readEventSearch({ ...before, [key]: value }),
      replace: true,
    });
  };
  const { resourceType = '', resourceName = '', eventType = '', since = '' } = search;
  const { text, setText } = useSearchText(resourceName, (name) => change('resourceName', name));
  return (
    <SimpleGrid cols={{ base: 1, xs: 2, md: 4 }} spacing="sm">
      <NativeSelect
        label="About"
        data={withCurrent(RESOURCES, resourceType)}
        value={resourceType}
        onChange={({ currentTarget }) => change('resourceType', currentTarget.value)}
      />
      <TextInput
        label="Name"
        value={text}
        onChange={({ currentTarget }) => setText(currentTarget.value)}
      />
      <NativeSelect
        label="Type"
        data={TYPES}
        value={eventType}
        onChange={({ currentTarget }) => change('eventType', currentTarget.value)}
      />
      <NativeSelect
        label="Since"
        data={withCurrent(TIMES, since)}
        value={since}
        onChange={({ currentTarget }) => change('since', currentTarget.value)}
      />
    </SimpleGrid>
  );
};
