/** One plan per statement: each is written for one index, and planning it for each company would cost more than running it. */
export const ONE_PLAN = 'plan_cache_mode=force_generic_plan'
