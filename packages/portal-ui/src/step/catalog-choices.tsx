import { Accordion, Badge, Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { searchSections, type CatalogSection } from '@gateway/toolset-composer';
import { useDeferredValue, useState, type ReactNode } from 'react';
import type { StartSignIn } from '../sign-in/sign-in-start.ts';
import { CatalogRowChoice, rowKey } from './catalog-row-choice.tsx';
import type { ComposeProps } from './compose-props.ts';

/** The number of rows of a group that are shown before a person asks for all. */
const FIRST = 20;

/** The properties of {@link CatalogChoices}. */
export interface CatalogChoicesProps extends ComposeProps {
  /** Undefined while the catalog is not known; then `notice` says why. */
  readonly sections: readonly CatalogSection[] | undefined;
  readonly notice?: ReactNode;
  readonly onSignIn: StartSignIn;
}

interface GroupProps {
  readonly sections: readonly CatalogSection[];
  readonly choices: Pick<CatalogChoicesProps, 'composition' | 'onChange' | 'onSignIn'>;
  readonly isSearch: boolean;
}

/** Items that a person opens and closes; all of them are open while a person searches. */
const useOpened = (
  all: readonly string[],
  isSearch: boolean,
): { readonly value: string[]; readonly onChange: (opened: string[]) => void } => {
  const [opened, setOpened] = useState<string[]>([]);
  const [closed, setClosed] = useState<string[]>([]);
  return isSearch
    ? {
        value: all.filter((item) => !closed.includes(item)),
        onChange: (now) => setClosed(all.filter((item) => !now.includes(item))),
      }
    : { value: opened, onChange: setOpened };
};

const GroupRows = ({
  section: { rows },
  choices,
  isSearch,
}: Omit<GroupProps, 'sections'> & { readonly section: CatalogSection }): ReactNode => {
  const [isComplete, setComplete] = useState(false);
  const shown = isComplete ? rows : rows.slice(0, FIRST);
  const opened = useOpened(shown.map(rowKey), isSearch);
  return (
    <Stack gap="xs">
      <Accordion multiple keepMounted={false} order={5} chevronPosition="left" {...opened}>
        {shown.map((row) => (
          <CatalogRowChoice key={rowKey(row)} row={row} {...choices} />
        ))}
      </Accordion>
      {shown.length < rows.length && (
        <Button variant="subtle" size="compact-sm" onClick={() => setComplete(true)}>
          {`Show all ${rows.length} servers`}
        </Button>
      )}
    </Stack>
  );
};

const toolCount = ({ rows }: CatalogSection): number =>
  rows.reduce((sum, { tools }) => sum + tools.length, 0);

/** The groups of the catalog. They are closed, except while a person searches. */
const Groups = ({ sections, choices, isSearch }: GroupProps): ReactNode => {
  const opened = useOpened(
    sections.map(({ group }) => group),
    isSearch,
  );
  return (
    <Accordion multiple keepMounted={false} order={4} variant="contained" {...opened}>
      {sections.map((section) => (
        <Accordion.Item key={section.group} value={section.group}>
          <Accordion.Control>
            <Group gap="xs">
              {section.label}
              <Badge size="sm" variant="default" tt="none">
                {toolCount(section)}
              </Badge>
            </Group>
          </Accordion.Control>
          <Accordion.Panel>
            <GroupRows section={section} choices={choices} isSearch={isSearch} />
          </Accordion.Panel>
        </Accordion.Item>
      ))}
    </Accordion>
  );
};

const Empty = ({ isSearch }: { readonly isSearch: boolean }): ReactNode => (
  <Text size="sm" role="status">
    {isSearch
      ? 'Nothing in the catalog contains these words.'
      : 'The catalog is empty for you. Connect a server, or add a selector by name.'}
  </Text>
);

/** The catalog to choose servers, tools and workflows from: a search, and four groups. */
export const CatalogChoices = ({
  sections,
  notice,
  ...choices
}: CatalogChoicesProps): ReactNode => {
  const [query, setQuery] = useState('');
  const searched = useDeferredValue(query);
  if (sections === undefined) return notice;
  const found = searchSections(sections, searched);
  const isSearch = searched.trim() !== '';
  return (
    <Stack gap="xs">
      <TextInput
        type="search"
        label="Search the catalog"
        placeholder="Name or description"
        value={query}
        onChange={({ currentTarget }) => setQuery(currentTarget.value)}
      />
      {notice}
      {found.length === 0 && <Empty isSearch={isSearch} />}
      <Groups sections={found} choices={choices} isSearch={isSearch} />
    </Stack>
  );
};
