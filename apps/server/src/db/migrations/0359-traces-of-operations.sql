-- Of the request that has begun it, as W3C Trace Context writes it, so that its trace goes on in whichever worker does it.
alter table operations add column traceparent text;
