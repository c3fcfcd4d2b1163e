import { Alert, Anchor, Code, Image, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { isJsonObject, type JsonObject } from '../../mcp/mcp-outcome.ts';

/** Pictures that browsers show without running anything. */
const IMAGE = /^image\/(?:png|jpeg|gif|webp|avif)$/;

const textOf = (item: JsonObject, key: string): string => {
  const value = item[key];
  return typeof value === 'string' ? value : '';
};

const Picture = ({ item }: { readonly item: JsonObject }): ReactNode => {
  const type = textOf(item, 'mimeType');
  if (!IMAGE.test(type)) return <Json value={item} />;
  return (
    <Image src={`data:${type};base64,${textOf(item, 'data')}`} alt="Result" w="auto" maw="100%" />
  );
};

const Json = ({ value }: { readonly value: unknown }): ReactNode => (
  <Code block>{JSON.stringify(value, undefined, 2)}</Code>
);

const ContentItem = ({ item }: { readonly item: JsonObject }): ReactNode => {
  const { type } = item;
  if (type === 'text')
    return (
      <Code block component="pre" style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
        <bdi>{textOf(item, 'text')}</bdi>
      </Code>
    );
  if (type === 'image') return <Picture item={item} />;
  if (type === 'resource_link' && /^https?:\/\//.test(textOf(item, 'uri')))
    return (
      <Anchor href={textOf(item, 'uri')} target="_blank" rel="noreferrer noopener">
        <bdi>{textOf(item, 'name') || textOf(item, 'uri')}</bdi>
      </Anchor>
    );
  return <Json value={item} />;
};

/** The result of a call: text, pictures, links, and structured content as JSON. */
export const CallResult = ({
  result,
  isError,
}: {
  readonly result: JsonObject;
  readonly isError: boolean;
}): ReactNode => {
  const { content, structuredContent } = result;
  const items = (Array.isArray(content) ? content : []).filter(isJsonObject);
  return (
    <Stack gap="xs" role="status">
      {isError ? (
        <Alert color="red" title="The tool answered with an error" />
      ) : (
        <Text fw={600}>Result</Text>
      )}
      {structuredContent === undefined
        ? items.map((item, at) => <ContentItem key={at} item={item} />)
        : [
            <Json key="structured" value={structuredContent} />,
            ...items
              .filter(({ type }) => type !== 'text')
              .map((item, at) => <ContentItem key={at} item={item} />),
          ]}
    </Stack>
  );
};
