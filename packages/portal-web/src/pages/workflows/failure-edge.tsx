import { BaseEdge, getSmoothStepPath, type EdgeProps } from '@xyflow/react';
import type { ReactNode } from 'react';

const BEND_PX = 48;

/** An arrow to the steps after a failure. All of them bend at the same place, so that they form one line. */
export const FailureEdge = ({ id, style = {}, markerEnd, ...ends }: EdgeProps): ReactNode => {
  const { sourceX, sourceY, sourcePosition, targetX, targetY, targetPosition } = ends;
  const [path] = getSmoothStepPath({
    ...{ sourceX, sourceY, sourcePosition, targetX, targetY, targetPosition },
    centerX: targetX - BEND_PX,
  });
  return <BaseEdge id={id} path={path} style={style} {...(markerEnd && { markerEnd })} />;
};
