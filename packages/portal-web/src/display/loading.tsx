import { Alert, Loader, Skeleton, Stack, Text } from '@mantine/core';
import { type ReactNode, useEffect, useState } from 'react';

interface LoadingProps {
  /** Names the part that is loading, for screen readers. */
  readonly label?: string | undefined;
}

interface LoadingAreaProps extends LoadingProps {
  /** The height in pixels of what is loading, so that nothing moves when it is there. */
  readonly h: number;
  /** The width in pixels; without it all there is. */
  readonly w?: number;
}

/** The place of something that is loading. */
export const LoadingArea = ({ label = 'Loading', h, w }: LoadingAreaProps): ReactNode => (
  <Skeleton h={h} {...(w !== undefined && { w })} role="progressbar" aria-label={label} />
);

/** A sign that something of an unknown size is loading. */
export const LoadingSign = ({ label = 'Loading' }: LoadingProps): ReactNode => (
  <Loader size="sm" role="progressbar" aria-label={label} />
);

/** A service that takes longer does not hide the rest of the page. */
const MAX_WAIT_MS = 10_000;

/** Becomes true once, and stays true. */
const useOnce = (isTrue: boolean): boolean => {
  const [wasTrue, setWasTrue] = useState(isTrue);
  if (isTrue && !wasTrue) setWasTrue(true);
  return wasTrue || isTrue;
};

/**
 * Shows its children when everything above them has its size, so that they do not move while a user reads or is about to choose
 * something. They are in the page before, so that they load at the same time as the parts above.
 */
export const RevealAfter = ({
  isReady,
  label,
  children,
}: {
  /** Everything above has its size. */
  readonly isReady: boolean;
  /** Names what is loading above, where nothing there says so. */
  readonly label?: string;
  readonly children: ReactNode;
}): ReactNode => {
  const [isLate, setLate] = useState(false);
  const isShown = useOnce(isReady || isLate);
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), MAX_WAIT_MS);
    return () => clearTimeout(timer);
  }, []);
  return (
    <>
      {!isShown && label !== undefined && <LoadingSign label={label} />}
      <Stack {...(!isShown && { display: 'none' })}>{children}</Stack>
    </>
  );
};

/** The error of a request, with a sentence of a service; nothing without one. */
export const Failure = ({ error }: { readonly error: Error | null }): ReactNode =>
  error === null ? null : (
    <Alert color="red" role="alert" style={{ overflowWrap: 'anywhere' }}>
      <bdi>{error.message}</bdi>
    </Alert>
  );

/** Matches the sentences of the gateway about a name that it does not have. */
const NOT_FOUND = /\bnot found\b/iu;

/**
 * Shows the data of a query below the error of the last read. Before the first answer it shows that it loads; where there is no such thing,
 * it says how to continue.
 */
export const Loaded = <T,>({
  query: { data, error },
  label,
  h,
  next,
  children,
}: {
  readonly query: { readonly data: T | undefined; readonly error: Error | null };
  /** Names the part that is loading, for screen readers. */
  readonly label?: string;
  /** The height in pixels of what is loading, where it is known. */
  readonly h?: number;
  /** A link to all things of this kind, within a sentence. */
  readonly next?: ReactNode;
  readonly children: (data: T) => ReactNode;
}): ReactNode => {
  if (data !== undefined)
    return (
      <>
        <Failure error={error} />
        {children(data)}
      </>
    );
  if (error === null)
    return h === undefined ? <LoadingSign label={label} /> : <LoadingArea label={label} h={h} />;
  return (
    <Stack gap="xs">
      <Failure error={error} />
      {next !== undefined && NOT_FOUND.test(error.message) && (
        <Text>
          It was deleted, it is not available to you, or the address is not correct. Continue with{' '}
          {next}.
        </Text>
      )}
    </Stack>
  );
};
