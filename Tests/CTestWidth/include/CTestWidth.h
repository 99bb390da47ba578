// Nothing to call: being linked is enough.
