import { Loader, Skeleton } from '@mantine/core';
import type { ReactNode } from 'react';

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
