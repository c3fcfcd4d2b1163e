import { Button, Group, Image, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { bytesOf, downloadFile } from './download-file.ts';

/** Pictures and sounds that browsers show without running anything. */
const IMAGE = /^image\/(?:png|jpeg|gif|webp|avif)$/u;
const SOUND = /^audio\/(?:wav|x-wav|wave|mpeg|mp3|mp4|aac|ogg|opus|webm|flac)$/u;

/** Bytes of a result. */
export interface ResultBytes {
  /** Base64. */
  readonly data: string;
  readonly mimeType: string;
  readonly fileName: string;
}

const File = ({ data, mimeType, fileName }: ResultBytes): ReactNode => {
  const bytes = bytesOf(data);
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
export const ResultMedia = (props: ResultBytes): ReactNode => {
  const { data, mimeType } = props;
  const source = `data:${mimeType};base64,${data}`;
  if (IMAGE.test(mimeType)) return <Image src={source} alt="Result" w="auto" maw="100%" />;
  if (SOUND.test(mimeType)) return <audio controls src={source} aria-label="Result" />;
  return <File {...props} />;
};
