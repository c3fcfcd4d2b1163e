import { isJsonObject, type JsonObject, toObjects, toText } from '@gateway/call-contract';
import { isWebAddress } from '@gateway/portal-ui';
import { Alert, Anchor, Button, Card, Group, Image, Stack, Table, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import {
  downloadFile,
  formatAddress,
  formatJson,
  TextCode,
  TOO_DEEP,
} from '../../display/text-blocks.tsx';
import { parseJson } from '../../mcp/json.ts';

const MAX_NAME_CHARS = 100;

/** Returns a name for a file from outside: the last part of an address, without characters that systems treat specially. */
const toFileName = (address: string): string => {
  const last =
    address
      .split(/[?#]/u, 1)[0]
      ?.split('/')
      .findLast((part) => part !== '') ?? '';
  const name = last.replaceAll(/[^\w.-]+/gu, '-').replace(/^[.-]+/u, '');
  return name.slice(-MAX_NAME_CHARS) || 'result';
};

/** Returns the bytes of base64 text; `undefined` for any other text. */
const parseBase64 = (base64: string): Uint8Array<ArrayBuffer> | undefined => {
  try {
    return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  } catch {
    return undefined;
  }
};

/** Longer texts make a page slow. */
const MAX_SHOWN_CHARS = 50_000;

/** A text as it is, its beginning when it is long, with the way to all of it. */
const ResultText = ({
  text,
  fileName = 'result.txt',
}: {
  readonly text: string;
  readonly fileName?: string;
}): ReactNode => (
  <>
    <TextCode text={text.slice(0, MAX_SHOWN_CHARS)} />
    {text.length > MAX_SHOWN_CHARS && (
      <Group gap="xs">
        <Text size="sm">{`The first ${MAX_SHOWN_CHARS} of ${text.length} characters are shown.`}</Text>
        <Button variant="default" size="xs" onClick={() => downloadFile(fileName, text)}>
          Download all
        </Button>
      </Group>
    )}
  </>
);

/** A value as JSON. */
export const ResultJson = ({ value }: { readonly value: unknown }): ReactNode => (
  <ResultText text={formatJson(value, 2) ?? TOO_DEEP} fileName="result.json" />
);

/** Pictures and sounds that browsers show without running anything. */
const IMAGE = /^image\/(?:png|jpeg|gif|webp|avif)$/u;
const SOUND = /^audio\/(?:wav|x-wav|wave|mpeg|mp3|mp4|aac|ogg|opus|webm|flac)$/u;

/** Bytes of a result. */
interface ResultBytes {
  /** Base64. */
  readonly data: string;
  readonly mimeType: string;
  readonly fileName: string;
}

const File = ({ data, mimeType, fileName }: ResultBytes): ReactNode => {
  const bytes = parseBase64(data);
  return (
    <Group gap="xs">
      <Text size="sm">
        {bytes === undefined ? 'Data that is not base64' : `${bytes.length} bytes`}
        {mimeType !== '' && (
          <>
            {' of the type '}
            <bdi>{mimeType}</bdi>
          </>
        )}
      </Text>
      {bytes !== undefined && (
        <Button variant="default" size="xs" onClick={() => downloadFile(fileName, bytes)}>
          Download
        </Button>
      )}
    </Group>
  );
};

/** Bytes as a picture or a sound where a browser can show them, and as a file to download otherwise. */
const ResultMedia = (props: ResultBytes): ReactNode => {
  const { data, mimeType } = props;
  const source = `data:${mimeType};base64,${data}`;
  if (IMAGE.test(mimeType)) return <Image src={source} alt="Result" w="auto" maw="100%" />;
  if (SOUND.test(mimeType)) return <audio controls src={source} aria-label="Result" />;
  return <File {...props} />;
};

const MAX_ROWS = 50;
const MAX_CELL_CHARS = 1_000;

const isShort = (value: unknown): boolean =>
  typeof value === 'string'
    ? value.length <= MAX_CELL_CHARS
    : typeof value !== 'object' || value === null;

/** A result that follows the schema of a tool: a table of short values, and JSON for anything else. */
const StructuredResult = ({ value }: { readonly value: JsonObject }): ReactNode => {
  const entries = Object.entries(value);
  const isTable =
    entries.length > 0 &&
    entries.length <= MAX_ROWS &&
    entries.every(([, member]) => isShort(member));
  if (!isTable) return <ResultJson value={value} />;
  return (
    <Table variant="vertical" layout="fixed" aria-label="Structured result">
      <Table.Tbody>
        {entries.map(([name, member]) => (
          <Table.Tr key={name}>
            <Table.Th scope="row" w="40%" style={{ overflowWrap: 'anywhere' }}>
              <bdi>{name}</bdi>
            </Table.Th>
            <Table.Td style={{ overflowWrap: 'anywhere' }}>
              <bdi>{typeof member === 'string' ? member : JSON.stringify(member)}</bdi>
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
};

const readField = (item: JsonObject, key: string): string => {
  const value = item[key];
  return toText(value);
};

/** A link shows where it leads: its name is chosen by the server. */
const Address = ({ uri, name }: { readonly uri: string; readonly name: string }): ReactNode => (
  <>
    {isWebAddress(uri) ? (
      <Anchor href={uri} target="_blank" rel="noreferrer noopener" size="sm">
        <bdi>{name || formatAddress(uri)}</bdi>
      </Anchor>
    ) : (
      <Text size="sm">
        <bdi>{name || formatAddress(uri)}</bdi>
      </Text>
    )}
    {name !== '' && (
      <Text size="xs" c="dimmed">
        <bdi>{formatAddress(uri)}</bdi>
      </Text>
    )}
  </>
);

/** An embedded resource: where it comes from, and its text or its bytes. */
const Resource = ({ resource }: { readonly resource: JsonObject }): ReactNode => {
  const { text, blob } = resource;
  const uri = readField(resource, 'uri');
  const fileName = toFileName(uri);
  return (
    <Card withBorder padding="sm">
      <Stack gap="xs" style={{ overflowWrap: 'anywhere' }}>
        <Address uri={uri} name="" />
        {typeof text === 'string' && <ResultText text={text} fileName={fileName} />}
        {typeof blob === 'string' && (
          <ResultMedia data={blob} mimeType={readField(resource, 'mimeType')} fileName={fileName} />
        )}
      </Stack>
    </Card>
  );
};

const ResourceLink = ({ item }: { readonly item: JsonObject }): ReactNode => (
  <Card withBorder padding="sm">
    <Stack gap={4} style={{ overflowWrap: 'anywhere' }}>
      <Address
        uri={readField(item, 'uri')}
        name={readField(item, 'title') || readField(item, 'name')}
      />
      {readField(item, 'description') !== '' && (
        <Text component="bdi" size="sm" c="dimmed">
          {readField(item, 'description')}
        </Text>
      )}
    </Stack>
  </Card>
);

/** One part of a result. A part of an unknown type is shown as JSON. */
const ResultItem = ({ item }: { readonly item: JsonObject }): ReactNode => {
  const { type, resource } = item;
  switch (type) {
    case 'text':
      return <ResultText text={readField(item, 'text')} />;
    case 'image':
    case 'audio':
      return (
        <ResultMedia
          data={readField(item, 'data')}
          mimeType={readField(item, 'mimeType')}
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

/** More parts make a page slow. */
const MAX_ITEMS = 200;

/** The way to all parts of a result, which has too many. */
const MoreItems = ({
  result,
  count,
}: {
  readonly result: JsonObject;
  readonly count: number;
}): ReactNode => (
  <Group gap="xs">
    <Text size="sm">{`The first ${MAX_ITEMS} of ${count} parts are shown.`}</Text>
    <Button
      variant="default"
      size="xs"
      onClick={() => downloadFile('result.json', formatJson(result, 2) ?? TOO_DEEP)}
    >
      Download all
    </Button>
  </Group>
);

/** Returns a value with the members of its objects in one order. */
const sortMembers = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(sortMembers);
  if (!isJsonObject(value)) return value;
  const entries = Object.entries(value).map(
    ([name, member]) => [name, sortMembers(member)] as const,
  );
  return Object.fromEntries(entries.toSorted(([a], [b]) => (a < b ? -1 : 1)));
};

/** Returns undefined for a value that is nested too deeply. */
const formatCompact = (value: unknown): string | undefined => {
  try {
    return JSON.stringify(sortMembers(value));
  } catch {
    return undefined;
  }
};

interface ResultParts {
  readonly items: readonly JsonObject[];
  readonly structured: JsonObject | undefined;
}

/** Servers repeat a structured result as text for clients that do not read it: its JSON, or the text that is its only member. */
const withoutRepetition = (items: readonly JsonObject[], structured: JsonObject): ResultParts => {
  const [member, ...others] = Object.values(structured);
  const isText = (one: JsonObject): boolean => one['type'] === 'text';
  if (others.length === 0 && items.some((one) => isText(one) && one['text'] === member))
    return { items, structured: undefined };
  const repeated = formatCompact(structured);
  if (repeated === undefined) return { items, structured };
  return {
    items: items.filter(
      (one) => !isText(one) || formatCompact(parseJson(one['text'])) !== repeated,
    ),
    structured,
  };
};

const toShown = ({ content, structuredContent }: JsonObject): ResultParts => {
  const items = toObjects(content);
  return isJsonObject(structuredContent)
    ? withoutRepetition(items, structuredContent)
    : { items, structured: undefined };
};

/** The result of a call: structured content, texts, pictures, sounds, resources and links. */
export const CallResult = ({
  result,
  isError,
}: {
  readonly result: JsonObject;
  readonly isError: boolean;
}): ReactNode => {
  const { items, structured } = toShown(result);
  const isEmpty = items.length === 0 && structured === undefined;
  return (
    <Stack gap="xs" role="status">
      {isError ? (
        <Alert color="red" title="The tool answered with an error" />
      ) : (
        <Text fw={600}>Result</Text>
      )}
      {structured !== undefined && <StructuredResult value={structured} />}
      {items.slice(0, MAX_ITEMS).map((item, at) => (
        <ResultItem key={at} item={item} />
      ))}
      {items.length > MAX_ITEMS && <MoreItems result={result} count={items.length} />}
      {isEmpty && <Text size="sm">The result is empty.</Text>}
    </Stack>
  );
};
