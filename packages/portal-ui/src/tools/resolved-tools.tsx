import { Alert, Code, List, Loader, Group, Stack, Text, Title } from '@mantine/core';
import {
  resolutionText,
  resolvesToText,
  UNMATCHED_TEXT,
  type Resolution,
} from '@gateway/toolset-composer';
import type { ReactNode } from 'react';
import { ToolList, type ToolListProps } from './tool-list.tsx';

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

/** The tools that a toolset resolves to for the person who reads the page, in every state. */
export const ResolvedTools = ({
  resolution,
  renderName,
  isNarrow = false,
}: { readonly resolution: Resolution } & Pick<
  ToolListProps,
  'renderName' | 'isNarrow'
>): ReactNode => {
  const text = resolutionText(resolution);
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
  const heading = resolvesToText(resolution.total);
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
