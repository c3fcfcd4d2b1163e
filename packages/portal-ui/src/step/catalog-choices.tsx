import {
  type CatalogRow,
  type CatalogSection,
  type ListedTool,
  isChosen,
  searchSections,
  toToolSelector,
  toggle,
} from '@gateway/toolset-composer';
import {
  Accordion,
  Alert,
  Badge,
  Button,
  Checkbox,
  Group,
  Stack,
  Text,
  TextInput,
} from '@mantine/core';
import { type ReactNode, useDeferredValue, useState } from 'react';
import { SignInOffers, type StartSignIn } from '../sign-in/sign-in-offers.tsx';
import type { ComposeProps } from './toolset-editor.tsx';
import {
  narrowToolHeight,
  ToolDescription,
  ToolMarks,
  ToolName,
  useNarrowNames,
} from '../tools/tool-list.tsx';
import { VirtualRows } from '../tools/virtual-rows.tsx';

/** Returns the items that are open, and what opens and closes them; all of them are open while a user searches. */
const useDisclosureSet = (
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

/** The number of rows of a group that are shown before a user asks for all. */
const FIRST_ROWS = 20;

const formatShowAll = ({ group, rows: { length } }: CatalogSection): string =>
  `Show all ${length} ${group === 'workflows' ? 'groups' : 'servers'}`;

/** The rows of a group of the catalog: the first 20, and all of them when the user asks for them. */
export const GroupRows = ({
  section,
  choices,
  isSearch,
}: {
  readonly section: CatalogSection;
  readonly choices: ComposeProps & { readonly onSignIn: StartSignIn };
  readonly isSearch: boolean;
}): ReactNode => {
  const [isComplete, setComplete] = useState(false);
  const { rows } = section;
  const shown = isComplete ? rows : rows.slice(0, FIRST_ROWS);
  const opened = useDisclosureSet(shown.map(formatRowKey), isSearch);
  return (
    <Stack gap="xs">
      <Accordion multiple keepMounted={false} order={5} chevronPosition="left" {...opened}>
        {shown.map((row) => (
          <CatalogRowChoice key={formatRowKey(row)} row={row} {...choices} />
        ))}
      </Accordion>
      {shown.length < rows.length && (
        <Button variant="subtle" size="compact-sm" onClick={() => setComplete(true)}>
          {formatShowAll(section)}
        </Button>
      )}
    </Stack>
  );
};

/** The number of tools that are shown before a user asks for all. */
const FIRST = 20;
const MAX_HEIGHT_PX = 480;
/** The lines of a name next to a checkbox in a narrow window, and their characters. */
const NAME = { lines: 3, chars: 22 } as const;

const wrapperStyles = { labelWrapper: { minWidth: 0, flex: 1 } } as const;

const ToolChoice = ({
  tool,
  isIncluded,
  composition,
  onChange,
}: ComposeProps & { readonly tool: ListedTool; readonly isIncluded: boolean }): ReactNode => {
  const selector = toToolSelector(tool);
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
        description={<ToolDescription tool={tool} isNarrow={isNarrow} />}
      />
      {!isNarrow && <ToolMarks tool={tool} />}
    </Group>
  );
};

/** The tools of a row of the catalog: the first 20, and all of them when the user asks for them. */
const ToolChoices = ({
  row,
  label,
  ...compose
}: ComposeProps & { readonly row: CatalogRow; readonly label: string }): ReactNode => {
  const isNarrow = useNarrowNames();
  const [isComplete, setComplete] = useState(false);
  const { tools, selector } = row;
  const isIncluded = selector !== undefined && isChosen(compose.composition, selector);
  const choice = (tool: ListedTool): ReactNode => (
    <ToolChoice key={tool.name} tool={tool} isIncluded={isIncluded} {...compose} />
  );
  if (isComplete)
    return (
      <VirtualRows
        items={tools}
        getKey={({ name }) => name}
        renderItem={choice}
        label={label}
        maxHeight={MAX_HEIGHT_PX}
        {...(isNarrow && { getHeight: narrowToolHeight(NAME) })}
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

/** Returns the key of a row among those of its group. */
const formatRowKey = ({ kind, name }: CatalogRow): string => `${kind}:${name}`;

const countText = (count: number): string => (count === 1 ? '1 tool' : `${count} tools`);

const formatLabel = ({ kind, name }: CatalogRow): string => {
  if (kind !== 'workflows') return name;
  return name === '' ? 'Workflows' : `Workflows ${name}`;
};

const Warning = ({ row }: { readonly row: CatalogRow }): ReactNode =>
  row.kind === 'core' ? (
    <Alert color="red" title="These tools administer the gateway">
      They change servers, workflows and settings for everyone. Choose only those that the agent
      needs.
    </Alert>
  ) : null;

const SignIn = ({
  row,
  isWhole,
  onSignIn,
}: {
  readonly row: CatalogRow;
  readonly isWhole: boolean;
  readonly onSignIn: StartSignIn;
}): ReactNode =>
  row.signIn.length === 0 ? null : (
    <Stack gap={4}>
      <Text size="sm">
        {isWhole
          ? 'selected without a sign-in'
          : 'Its tools are listed after a sign-in. The whole server can be selected without one.'}
      </Text>
      <SignInOffers servers={row.signIn} onSignIn={onSignIn} />
    </Stack>
  );

/** The properties of {@link CatalogRowChoice}. */
interface CatalogRowChoiceProps extends ComposeProps {
  readonly row: CatalogRow;
  readonly onSignIn: StartSignIn;
}

const RowHead = ({ row, composition, onChange }: CatalogRowChoiceProps): ReactNode => {
  const { selector } = row;
  const label = formatLabel(row);
  return (
    <Group wrap="nowrap" gap="xs">
      {selector !== undefined && (
        <Checkbox
          aria-label={`All tools of ${label}`}
          checked={isChosen(composition, selector)}
          onChange={() => onChange(toggle(composition, selector))}
        />
      )}
      <Accordion.Control px="xs" miw={0}>
        <Group gap="xs" style={{ overflowWrap: 'anywhere' }}>
          <bdi>{label}</bdi>
          <Badge size="sm" variant="default" tt="none">
            {row.signIn.length > 0 && row.tools.length === 0
              ? 'Sign-in required'
              : countText(row.tools.length)}
          </Badge>
        </Group>
      </Accordion.Control>
    </Group>
  );
};

/** A row of the catalog: the choice of a whole server or family, and of its single tools. */
const CatalogRowChoice = (props: CatalogRowChoiceProps): ReactNode => {
  const { row, composition, onChange, onSignIn } = props;
  const isWhole = row.selector !== undefined && isChosen(composition, row.selector);
  return (
    <Accordion.Item value={formatRowKey(row)}>
      <RowHead {...props} />
      <Accordion.Panel>
        <Stack gap="sm">
          <Warning row={row} />
          <SignIn row={row} isWhole={isWhole} onSignIn={onSignIn} />
          <ToolChoices
            row={row}
            label={`Tools of ${formatLabel(row)}`}
            composition={composition}
            onChange={onChange}
          />
        </Stack>
      </Accordion.Panel>
    </Accordion.Item>
  );
};

/** The properties of {@link CatalogChoices}. */
interface CatalogChoicesProps extends ComposeProps {
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

const countTools = ({ rows }: CatalogSection): number =>
  rows.reduce((sum, { tools }) => sum + tools.length, 0);

/** The groups of the catalog. They are closed, except while a user searches. */
const Groups = ({ sections, choices, isSearch }: GroupProps): ReactNode => {
  const opened = useDisclosureSet(
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
                {countTools(section)}
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
