import classes from './skeleton.module.css'

/** A grey stand-in of the final size. */
export function Skeleton({
  width = '100%',
  height = 16,
  radius = 6,
}: {
  width?: number | string
  height?: number | string
  radius?: number
}) {
  return <span className={classes['bone']} style={{ width, height, borderRadius: radius }} aria-hidden="true" />
}

/** Lines of text to come. */
export function SkeletonText({ lines = 3 }: { lines?: number }) {
  return (
    <span className={classes['text']} aria-hidden="true">
      {Array.from({ length: lines }, (_, index) => (
        <Skeleton key={index} width={index === lines - 1 ? '60%' : '100%'} />
      ))}
    </span>
  )
}
