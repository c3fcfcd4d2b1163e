import { Alert, Anchor, Button, FileButton, Group, Stack, Text, Textarea } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { PageTitle } from '../../display/page-title.tsx';
import { importRefusalText } from '@gateway/client-config';
import { MAX_IMPORT_CHARS, parseImport } from '@gateway/client-config';
import { useServers } from '../servers/use-servers.ts';
import { WriteRefusal } from '../servers/write-refusal.tsx';
import { ImportPlan } from './import-plan.tsx';

const EXAMPLE =
  '{\n  "mcpServers": {\n    "wiki": { "url": "https://wiki.example.com/mcp" }\n  }\n}';

/** A larger file is refused without being read. */
const textOfFile = async (file: File): Promise<string> =>
  file.size > 4 * MAX_IMPORT_CHARS ? ' '.repeat(MAX_IMPORT_CHARS + 1) : file.text();

const Source = ({
  text,
  onText,
}: {
  readonly text: string;
  readonly onText: (text: string) => void;
}): ReactNode => (
  <Stack gap="xs">
    <Textarea
      label="Settings of another program"
      description="JSON with an object “mcpServers” or “servers”, as in the settings of editors and assistants"
      placeholder={EXAMPLE}
      autosize
      minRows={6}
      maxRows={16}
      spellCheck={false}
      value={text.length > MAX_IMPORT_CHARS ? '' : text}
      onChange={({ currentTarget }) => onText(currentTarget.value)}
    />
    <Group>
      <FileButton
        accept="application/json,.json"
        onChange={(file) => file !== null && void textOfFile(file).then(onText)}
      >
        {(props) => (
          <Button variant="default" size="xs" {...props}>
            Choose a file
          </Button>
        )}
      </FileButton>
    </Group>
  </Stack>
);

const Parsed = ({ text }: { readonly text: string }): ReactNode => {
  const parsed = parseImport(text);
  return parsed.ok ? (
    <ImportPlan key={text} servers={parsed.servers} />
  ) : (
    <Alert color="red" role="alert">
      {importRefusalText(parsed.refusal)}
    </Alert>
  );
};

/** Imports the servers of another program: shows what will be created, and creates it. */
export const ImportPage = (): ReactNode => {
  const [text, setText] = useState('');
  const { data } = useServers();
  return (
    <Stack maw={720}>
      <Anchor component={Link} to="/servers" size="sm">
        All servers
      </Anchor>
      <PageTitle title="Import servers" />
      <WriteRefusal reason={data?.writeRefusal} />
      {data?.writeRefusal === undefined && (
        <>
          <Source text={text} onText={setText} />
          {text.trim() === '' && text.length <= MAX_IMPORT_CHARS ? (
            <Text size="sm">
              Nothing is created before you have seen what will be created. Imported servers do not
              start by themselves.
            </Text>
          ) : (
            <Parsed text={text} />
          )}
        </>
      )}
    </Stack>
  );
};
