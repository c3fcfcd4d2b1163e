import { Stack } from '@mantine/core';
import { useEffect, useState, type ReactNode } from 'react';
import { LoadingSign } from './loading.tsx';

/** A service that takes longer does not hide the rest of the page. */
const PATIENCE_MS = 10_000;

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
export const InOrder = ({
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
    const timer = setTimeout(() => setLate(true), PATIENCE_MS);
    return () => clearTimeout(timer);
  }, []);
  return (
    <>
      {!isShown && label !== undefined && <LoadingSign label={label} />}
      <Stack {...(!isShown && { display: 'none' })}>{children}</Stack>
    </>
  );
};
