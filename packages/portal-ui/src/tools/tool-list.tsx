import {
  type ListedTool,
  type ResolutionState,
  formatResolution,
  formatResolvesTo,
  UNMATCHED_TEXT,
} from '@gateway/toolset-composer';
import { Alert, Badge, Code, Group, List, Loader, Stack, Text, Title } from '@mantine/core';
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
  if (tool.isReadOnly)
    return (
      <Badge size="sm" variant="light" color="teal" tt="none" flex="none">
        Read-only
      </Badge>
    );
  if (!tool.isDestructive) return null;
  return (
    <Badge size="sm" variant="light" color="red" tt="none" flex="none">
      Destructive
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

const narrowHeight = ({ name }: ListedTool): number => narrowNameHeight(name) + DESCRIPTION_PX;

interface ToolRowProps {
  readonly tool: ListedTool;
  readonly renderName: ToolListProps['renderName'];
}

const Description = ({ tool }: Pick<ToolRowProps, 'tool'>): ReactNode => (
  <Text component="bdi" size="xs" c="dimmed" truncate display="block">
    {tool.description}
  </Text>
);

const Name = ({
  tool,
  renderName,
  isNarrow,
}: ToolRowProps & { readonly isNarrow: boolean }): ReactNode => (
  <ToolName isNarrow={isNarrow}>{renderName === undefined ? tool.name : renderName(tool)}</ToolName>
);

const WideRow = (props: ToolRowProps): ReactNode => (
  <>
    <Group gap="xs" wrap="nowrap">
      <Name {...props} isNarrow={false} />
      <ToolMarks tool={props.tool} />
    </Group>
    <Description tool={props.tool} />
  </>
);

const NarrowRow = (props: ToolRowProps): ReactNode => (
  <>
    <Name {...props} isNarrow />
    <Group gap="xs" wrap="nowrap">
      <ToolMarks tool={props.tool} />
      <Description tool={props.tool} />
    </Group>
  </>
);

/** A list of tools. Only the visible rows are in the page, so that thousands of tools scroll without delay. */
export const ToolList = (props: ToolListProps): ReactNode => {
  const { tools, label, maxHeight = 480, renderName } = props;
  const isNarrowWindow = useNarrowNames();
  const isNarrow = props.isNarrow === true || isNarrowWindow;
  const ToolRow = isNarrow ? NarrowRow : WideRow;
  return (
    <VirtualRows
      items={tools}
      keyOf={({ name }) => name}
      renderItem={(tool) => <ToolRow tool={tool} renderName={renderName} />}
      label={label}
      maxHeight={maxHeight}
      {...(isNarrow && { heightOf: narrowHeight })}
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
