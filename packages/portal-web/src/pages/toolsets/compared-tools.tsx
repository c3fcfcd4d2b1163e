import {
  narrowNameHeight,
  ToolMarks,
  ToolName,
  useNarrowNames,
  VirtualRows,
} from '@gateway/portal-ui';
import {
  type ListedTool,
  type ComparedTool,
  compareToolsets,
  COMPARISON_VIEWS,
  type ComparisonView,
  type Explanation,
  type ToolReason,
} from '@gateway/toolset-composer';
import {
  Card,
  CloseButton,
  Flex,
  Group,
  SegmentedControl,
  Stack,
  Text,
  Title,
  VisuallyHidden,
} from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { type ReactNode, useMemo } from 'react';
import { readToolsetsSearch } from '../../addresses/searches.ts';
import { SearchField } from '../../addresses/address-fields.tsx';
import { formatCount, PageLink, StateBadge, TextList } from '../../display/page-parts.tsx';

const STATES: { readonly [State in ToolReason['state']]: readonly [color: string, text: string] } =
  {
    in: ['teal', 'In'],
    'left-out': ['orange', 'Left out'],
    'not-named': ['gray', 'Not in'],
  };

/** Shows whether a toolset has a tool. */
const ReasonBadge = ({ state }: Pick<ToolReason, 'state'>): ReactNode => {
  const [color, text] = STATES[state];
  return (
    <StateBadge size="sm" color={color} miw={80}>
      {text}
    </StateBadge>
  );
};

const Reason = ({
  label,
  reason,
}: {
  readonly label: string;
  readonly reason: ToolReason;
}): ReactNode => (
  <Stack gap={2}>
    <Group gap="xs">
      <Text size="sm" fw={600}>
        {label}
      </Text>
      <ReasonBadge state={reason.state} />
    </Group>
    <TextList texts={reason.texts} />
  </Stack>
);

/** Every reason why each toolset has a tool or not. */
const ToolReasons = ({
  name,
  compared,
  labels,
  onClose,
}: {
  readonly name: string;
  /** Absent for a tool that the catalog does not have. */
  readonly compared: ComparedTool | undefined;
  readonly labels: readonly string[];
  readonly onClose: () => void;
}): ReactNode => (
  <Card withBorder component="section" aria-label="Reasons" aria-live="polite">
    <Stack gap="xs" style={{ overflowWrap: 'anywhere' }}>
      <Group justify="space-between" wrap="nowrap" align="flex-start">
        <Title order={3} size="h6">
          Why{' '}
          <PageLink to="/catalog/$tool" params={{ tool: name }} inherit>
            <bdi>{name}</bdi>
          </PageLink>
        </Title>
        <CloseButton aria-label="Close the reasons" onClick={onClose} />
      </Group>
      {compared === undefined ? (
        <Text size="sm">The catalog has no tool of this name for you.</Text>
      ) : (
        compared.reasons.map((reason, at) => (
          <Reason key={labels[at]} label={labels[at] ?? ''} reason={reason} />
        ))
      )}
    </Stack>
  </Card>
);

const route = getRouteApi('/toolsets');

const NAME_PX = 28;
/** Of the marks below a name in a narrow window. */
const MARKS_PX = 24;
const REASON_PX = 24;
const GAP_PX = 8;
const MAX_LIST_PX = 640;

const VIEWS = COMPARISON_VIEWS.map(({ view, label }) => ({ value: view, label }));

/** Names the toolset of a line. One toolset needs no name. */
const SideNumber = ({ at, sides }: { readonly at: number; readonly sides: number }): ReactNode =>
  sides < 2 ? null : (
    <Text component="span" size="xs" fw={600}>
      <VisuallyHidden>Toolset </VisuallyHidden>
      {at + 1}
    </Text>
  );

const nameHeight = (name: string, isNarrow: boolean): number =>
  isNarrow ? narrowNameHeight(name) + MARKS_PX : NAME_PX;

const Name = ({
  tool,
  isNarrow,
}: {
  readonly tool: ListedTool;
  readonly isNarrow: boolean;
}): ReactNode => (
  <Flex
    h={nameHeight(tool.name, isNarrow)}
    {...(isNarrow
      ? { direction: 'column', align: 'flex-start' }
      : { gap: 'xs', wrap: 'nowrap', align: 'center' })}
  >
    <ToolName isNarrow={isNarrow}>
      <PageLink
        to="/toolsets"
        search={(search) => ({ ...search, tool: tool.name })}
        replace
        resetScroll={false}
        inherit
      >
        {tool.name}
      </PageLink>
    </ToolName>
    <ToolMarks tool={tool} />
  </Flex>
);

const Row = ({
  compared: { tool, reasons },
  isNarrow,
}: {
  readonly compared: ComparedTool;
  readonly isNarrow: boolean;
}): ReactNode => (
  <>
    <Name tool={tool} isNarrow={isNarrow} />
    {reasons.map((reason, at) => (
      <Group key={at} gap="xs" wrap="nowrap" h={REASON_PX}>
        <SideNumber at={at} sides={reasons.length} />
        <ReasonBadge state={reason.state} />
        <Text component="bdi" size="xs" c="dimmed" truncate>
          {reason.texts.join('; ')}
        </Text>
      </Group>
    ))}
  </>
);

const formatEmptyText = (view: ComparisonView, sides: number): string => {
  if (view === 'different' && sides < 2) return 'Compose both toolsets to see how they differ.';
  return view === 'different'
    ? 'Both toolsets have the same tools.'
    : 'No tool is listed here. Choose another list, or other words.';
};

/** The state of the list in the address, and what changes it without a new entry of the history. */
interface ListState {
  readonly show: ComparisonView;
  readonly find: string;
  readonly tool: string | undefined;
  readonly change: (part: Readonly<Record<string, unknown>>) => void;
}

const useList = (): ListState => {
  const { show = 'selected', find = '', tool } = route.useSearch();
  const navigate = route.useNavigate();
  const change: ListState['change'] = (part) => {
    void navigate({
      search: (search) => readToolsetsSearch({ ...search, ...part }),
      replace: true,
      resetScroll: false,
    });
  };
  return { show, find, tool, change };
};

const filterByName = (compared: readonly ComparedTool[], find: string): readonly ComparedTool[] => {
  const words = find.toLowerCase().split(/\s+/u);
  return compared.filter(({ tool }) => {
    const name = tool.name.toLowerCase();
    return words.every((word) => name.includes(word));
  });
};

const ListControls = ({ list }: { readonly list: ListState }): ReactNode => (
  <Group align="flex-end" gap="sm">
    <SegmentedControl
      aria-label="Tools that are listed"
      size="xs"
      data={VIEWS}
      value={list.show}
      onChange={(show) => list.change({ show })}
    />
    <SearchField
      label="Find by name"
      size="xs"
      flex={1}
      miw={160}
      query={list.find}
      onSearch={(find) => list.change({ find })}
    />
  </Group>
);

const ComparisonList = ({
  compared,
  view,
  sides,
}: {
  readonly compared: readonly ComparedTool[];
  readonly view: ComparisonView;
  readonly sides: number;
}): ReactNode => {
  const isNarrow = useNarrowNames();
  const reasonsHeight = REASON_PX * sides + GAP_PX;
  return (
    <>
      <Text size="sm" role="status">
        {formatCount(compared.length, 'tool')}
      </Text>
      {compared.length === 0 ? (
        <Text size="sm">{formatEmptyText(view, sides)}</Text>
      ) : (
        <VirtualRows
          items={compared}
          getKey={({ tool }) => tool.name}
          renderItem={(item) => <Row compared={item} isNarrow={isNarrow} />}
          label="Compared tools"
          maxHeight={MAX_LIST_PX}
          getHeight={({ tool }) => nameHeight(tool.name, isNarrow) + reasonsHeight}
        />
      )}
    </>
  );
};

/** The tools of the catalog with the reason of each toolset, one row for each tool. */
export const ToolComparison = ({
  tools,
  explanations,
  labels,
}: {
  readonly tools: readonly ListedTool[];
  readonly explanations: readonly Explanation[];
  /** The names of the toolsets, in the order of the explanations. */
  readonly labels: readonly string[];
}): ReactNode => {
  const list = useList();
  const { show, find, tool } = list;
  const all = useMemo(() => compareToolsets(tools, explanations, 'all'), [tools, explanations]);
  const shown = useMemo(
    () => filterByName(compareToolsets(tools, explanations, show), find),
    [tools, explanations, show, find],
  );
  return (
    <Stack component="section" gap="sm" aria-label="Tools">
      <Title order={2} size="h5">
        Tools
      </Title>
      <ListControls list={list} />
      {tool !== undefined && (
        <ToolReasons
          name={tool}
          compared={all.find((compared) => compared.tool.name === tool)}
          labels={labels}
          onClose={() => list.change({ tool: undefined })}
        />
      )}
      <ComparisonList compared={shown} view={show} sides={explanations.length} />
    </Stack>
  );
};
