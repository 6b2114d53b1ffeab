"""1889 History of Shikoku Railways."""
