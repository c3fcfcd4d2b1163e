import { Alert, Code, List, Text } from '@mantine/core';
import {
  resolutionText,
  resolvesToText,
  ruleText,
  UNMATCHED_TEXT,
  type ResolvedToolset,
} from '@gateway/toolset-composer';
import type { ReactNode } from 'react';
import type { ExplainedToolset } from '../../queries/use-explained-toolset.ts';

const Texts = ({
  title,
  texts,
  color = 'yellow',
}: {
  readonly title: string;
  readonly texts: readonly string[];
  readonly color?: string;
}): ReactNode =>
  texts.length === 0 ? null : (
    <Alert color={color} title={title}>
      <List size="sm">
        {texts.map((text) => (
          <List.Item key={text}>
            <Code>
              <bdi>{text}</bdi>
            </Code>
          </List.Item>
        ))}
      </List>
    </Alert>
  );

const Resolved = ({ resolution }: { readonly resolution: ResolvedToolset }): ReactNode => {
  const text = resolutionText(resolution);
  return (
    <>
      <Text fw={600} size="sm">
        {resolvesToText(resolution.total)}
      </Text>
      {text !== undefined && <Text size="sm">{text}</Text>}
      <Texts title={UNMATCHED_TEXT} texts={resolution.unmatched} />
      <Texts
        title="Some selectors select tools after a sign-in"
        color="blue"
        texts={resolution.requiringAuth}
      />
    </>
  );
};

/** The answer of the gateway about a toolset: its size, and the selectors and rules that find nothing. */
export const ToolsetFacts = ({ resolution, explanation }: ExplainedToolset): ReactNode => {
  if (resolution.state === 'idle') return null;
  if (resolution.state === 'loading')
    return (
      <Text size="sm" role="status">
        {resolutionText(resolution)}
      </Text>
    );
  if (resolution.state !== 'resolved')
    return (
      <Alert color={resolution.state === 'error' ? 'red' : 'yellow'} role="alert">
        <bdi>{resolutionText(resolution)}</bdi>
      </Alert>
    );
  return (
    <>
      <Resolved resolution={resolution} />
      <Texts
        title="Some rules find nothing for you"
        texts={explanation?.idleRules.map(ruleText) ?? []}
      />
      <Texts title="This is not an access control" texts={explanation?.notes ?? []} />
    </>
  );
};
