import { Accordion, Badge, Group, Stack, Text, TextInput } from '@mantine/core';
import { searchSections, type CatalogSection } from '@gateway/toolset-composer';
import { useDeferredValue, useState, type ReactNode } from 'react';
import type { StartSignIn } from '../sign-in/sign-in-start.ts';
import type { ComposeProps } from './compose-props.ts';
import { GroupRows } from './group-rows.tsx';
import { useOpened } from './use-opened.ts';

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
