import {
  type ListedTool,
  type ResolutionState,
  formatResolution,
  formatResolvesTo,
  UNMATCHED_TEXT,
} from '@gateway/toolset-composer';
import {
  Alert,
  Badge,
  Code,
  Group,
  List,
  Loader,
  Stack,
  Text,
  type TextProps,
  Title,
} from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import type { ReactNode } from 'react';
import { VirtualRows } from './virtual-rows.tsx';

/** The width of a window in which the names of most tools are longer than a line. */
const NARROW = '(max-width: 48em)';

/** Returns whether the names of tools need more than one line. */
export const useNarrowNames = (): boolean =>
  useMediaQuery(NARROW, false, { getInitialValueInEffect: false });

const LINE_PX = 22;

interface NameLines {
  /** The most lines. */
  readonly lines: number;
  /** The characters of a line. */
  readonly chars: number;
}

/** The lines of a name in a window of 360 pixels. */
const LINES: NameLines = { lines: 2, chars: 30 };

/** Returns the height in pixels that {@link ToolName} needs in a narrow window of at least 360 pixels. */
export const narrowNameHeight = (name: string, { lines, chars } = LINES): number =>
  LINE_PX * Math.max(1, Math.min(lines, Math.ceil(name.length / chars)));

/** The name of a tool in one line. In a narrow window it has more lines, so that it can be read without opening the tool. */
export const ToolName = ({
  isNarrow,
  lines = 2,
  children,
}: {
  readonly isNarrow: boolean;
  /** The most lines in a narrow window. */
  readonly lines?: number;
  readonly children: ReactNode;
}): ReactNode => (
  <Text
    component="bdi"
    ff="monospace"
    size="sm"
    display={isNarrow ? undefined : 'block'}
    {...(isNarrow ? { lineClamp: lines, style: { overflowWrap: 'anywhere' } } : { truncate: true })}
  >
    {children}
  </Text>
);

/** Shows whether a tool says that it only reads, or that it destroys something; nothing where it says neither. */
export const ToolMarks = ({
  tool,
}: {
  readonly tool: Pick<ListedTool, 'isReadOnly' | 'isDestructive'>;
}): ReactNode => {
  const { isReadOnly, isDestructive } = tool;
  if (!isReadOnly && !isDestructive) return null;
  return (
    <Badge size="sm" variant="light" color={isReadOnly ? 'teal' : 'red'} tt="none" flex="none">
      {isReadOnly ? 'Read-only' : 'Destructive'}
    </Badge>
  );
};

/** The properties of {@link ToolList}. */
export interface ToolListProps {
  readonly tools: readonly ListedTool[];
  /** Names the list for assistive technology. */
  readonly label: string;
  /** The largest height in pixels; longer lists scroll. */
  readonly maxHeight?: number;
  /** The list is in a narrow part of the page: names have more lines, as they have in a narrow window. */
  readonly isNarrow?: boolean;
  /** Renders the name, for example as a link. */
  readonly renderName?: (tool: ListedTool) => ReactNode;
}

/** Pixels of the line below the name, and of the space between two rows. */
const DESCRIPTION_PX = 34;

/** Returns the height in pixels of a tool whose name has these lines, with its description. */
export const narrowToolHeight =
  (lines = LINES) =>
  ({ name }: ListedTool): number =>
    narrowNameHeight(name, lines) + DESCRIPTION_PX;

/** The description of a tool in one line, in a narrow window after its marks. */
export const ToolDescription = ({
  tool,
  isNarrow,
  ...props
}: TextProps & { readonly tool: ListedTool; readonly isNarrow: boolean }): ReactNode => (
  <Group gap="xs" wrap="nowrap">
    {isNarrow && <ToolMarks tool={tool} />}
    <Text component="bdi" size="xs" truncate display="block" {...props}>
      {tool.description}
    </Text>
  </Group>
);

const ToolRow = ({
  tool,
  renderName = ({ name }) => name,
  isNarrow,
}: {
  readonly tool: ListedTool;
  readonly renderName: ToolListProps['renderName'] | undefined;
  readonly isNarrow: boolean;
}): ReactNode => (
  <>
    <Group gap="xs" wrap="nowrap">
      <ToolName isNarrow={isNarrow}>{renderName(tool)}</ToolName>
      {!isNarrow && <ToolMarks tool={tool} />}
    </Group>
    <ToolDescription tool={tool} isNarrow={isNarrow} c="dimmed" />
  </>
);

/** A list of tools. Only the visible rows are in the page, so that thousands of tools scroll without delay. */
export const ToolList = (props: ToolListProps): ReactNode => {
  const { tools, label, maxHeight = 480, renderName } = props;
  const isNarrowWindow = useNarrowNames();
  const isNarrow = props.isNarrow === true || isNarrowWindow;
  return (
    <VirtualRows
      items={tools}
      getKey={({ name }) => name}
      renderItem={(tool) => <ToolRow tool={tool} renderName={renderName} isNarrow={isNarrow} />}
      label={label}
      maxHeight={maxHeight}
      {...(isNarrow && { getHeight: narrowToolHeight() })}
    />
  );
};

const Unmatched = ({ selectors }: { readonly selectors: readonly string[] }): ReactNode =>
  selectors.length === 0 ? null : (
    <Alert color="yellow" title={UNMATCHED_TEXT} style={{ overflowWrap: 'anywhere' }}>
      <List size="sm">
        {selectors.map((selector) => (
          <List.Item key={selector}>
            <Code>{selector}</Code>
          </List.Item>
        ))}
      </List>
    </Alert>
  );

const Loading = ({ text }: { readonly text: string | undefined }): ReactNode => (
  <Group gap="xs" role="status">
    <Loader size="xs" />
    <Text size="sm">{text}</Text>
  </Group>
);

/** The tools that a toolset resolves to for the user who reads the page, in every state. */
export const ResolvedTools = ({
  resolution,
  renderName,
  isNarrow = false,
}: { readonly resolution: ResolutionState } & Pick<
  ToolListProps,
  'renderName' | 'isNarrow'
>): ReactNode => {
  const text = formatResolution(resolution);
  if (resolution.state === 'idle') return null;
  if (resolution.state === 'loading') return <Loading text={text} />;
  if (resolution.state !== 'resolved')
    return (
      <Alert
        color={resolution.state === 'error' ? 'red' : 'yellow'}
        role="alert"
        // Names have no spaces.
        style={{ overflowWrap: 'anywhere' }}
      >
        {text}
      </Alert>
    );
  const heading = formatResolvesTo(resolution.total);
  return (
    <Stack gap="xs">
      <Title order={3} size="h5">
        {heading}
      </Title>
      <Unmatched selectors={resolution.unmatched} />
      {text !== undefined && <Text size="sm">{text}</Text>}
      <ToolList
        tools={resolution.tools}
        label={heading}
        isNarrow={isNarrow}
        {...(renderName !== undefined && { renderName })}
      />
    </Stack>
  );
};
