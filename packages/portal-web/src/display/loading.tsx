import { Loader, Skeleton, Stack } from '@mantine/core';
import { type ReactNode, useEffect, useState } from 'react';

interface LoadingProps {
  /** Names the part that is loading, for screen readers. */
  readonly label?: string;
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
 * Shows its children when everything above them has its size, so that they do not move while a person reads or is about to choose
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
