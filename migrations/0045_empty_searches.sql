CREATE TABLE `empty_searches` (
	`month` text NOT NULL,
	`words` text NOT NULL,
	`searches` integer NOT NULL,
	PRIMARY KEY(`month`, `words`),
	CONSTRAINT "empty_searches_words" CHECK(length("empty_searches"."words") BETWEEN 1 AND 60)
) STRICT;

--> statement-breakpoint
-- Of a full month the rarest goes, of those the oldest: what is looked for twice stays, however many words a program makes up.
CREATE TRIGGER `empty_searches_keep_the_most_frequent` AFTER INSERT ON `empty_searches`
WHEN (SELECT count(*) FROM `empty_searches` WHERE `month` = NEW.`month`) > 200
BEGIN
  DELETE FROM `empty_searches` WHERE rowid = (
    SELECT rowid FROM `empty_searches` WHERE `month` = NEW.`month` AND `words` <> NEW.`words` ORDER BY `searches`, rowid LIMIT 1
  );
END;
