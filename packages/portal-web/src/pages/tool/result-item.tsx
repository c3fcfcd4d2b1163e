import { Anchor, Card, Stack, Text } from '@mantine/core';
import { isWebAddress } from '@gateway/portal-ui';
import type { ReactNode } from 'react';
import { shownAddress } from '../../display/shown-address.ts';
import { isJsonObject, type JsonObject } from '../../mcp/mcp-outcome.ts';
import { fileNameOf } from './download-file.ts';
import { ResultMedia } from './result-media.tsx';
import { ResultJson, ResultText } from './result-text.tsx';

const textOf = (item: JsonObject, key: string): string => {
  const value = item[key];
  return typeof value === 'string' ? value : '';
};

/** A link shows where it leads: its name is chosen by the server. */
const Address = ({ uri, name }: { readonly uri: string; readonly name: string }): ReactNode => (
  <>
    {isWebAddress(uri) ? (
      <Anchor href={uri} target="_blank" rel="noreferrer noopener" size="sm">
        <bdi>{name || shownAddress(uri)}</bdi>
      </Anchor>
    ) : (
      <Text size="sm">
        <bdi>{name || shownAddress(uri)}</bdi>
      </Text>
    )}
    {name !== '' && (
      <Text size="xs" c="dimmed">
        <bdi>{shownAddress(uri)}</bdi>
      </Text>
    )}
  </>
);

/** An embedded resource: where it comes from, and its text or its bytes. */
const Resource = ({ resource }: { readonly resource: JsonObject }): ReactNode => {
  const { text, blob } = resource;
  const uri = textOf(resource, 'uri');
  const fileName = fileNameOf(uri);
  return (
    <Card withBorder padding="sm">
      <Stack gap="xs" style={{ overflowWrap: 'anywhere' }}>
        <Address uri={uri} name="" />
        {typeof text === 'string' && <ResultText text={text} fileName={fileName} />}
        {typeof blob === 'string' && (
          <ResultMedia data={blob} mimeType={textOf(resource, 'mimeType')} fileName={fileName} />
        )}
      </Stack>
    </Card>
  );
};

const ResourceLink = ({ item }: { readonly item: JsonObject }): ReactNode => (
  <Card withBorder padding="sm">
    <Stack gap={4} style={{ overflowWrap: 'anywhere' }}>
      <Address uri={textOf(item, 'uri')} name={textOf(item, 'title') || textOf(item, 'name')} />
      {textOf(item, 'description') !== '' && (
        <Text component="bdi" size="sm" c="dimmed">
          {textOf(item, 'description')}
        </Text>
      )}
    </Stack>
  </Card>
);

/** One part of a result. A part of an unknown type is shown as JSON. */
export const ResultItem = ({ item }: { readonly item: JsonObject }): ReactNode => {
  const { type, resource } = item;
  switch (type) {
    case 'text':
      return <ResultText text={textOf(item, 'text')} />;
    case 'image':
    case 'audio':
      return (
        <ResultMedia
          data={textOf(item, 'data')}
          mimeType={textOf(item, 'mimeType')}
          fileName="result"
        />
      );
    case 'resource':
      return isJsonObject(resource) ? (
        <Resource resource={resource} />
      ) : (
        <ResultJson value={item} />
      );
    case 'resource_link':
      return <ResourceLink item={item} />;
    default:
      return <ResultJson value={item} />;
  }
};
