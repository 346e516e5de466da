-- The words of the instruments on sale, in four layers: the name; with the family; with the brand; with the description. The rowid is
-- the layer in thousands of millions, and `search_id`: the first rows with a word are the best (decision 22). Layer 3 waits for a
-- specification. The triggers of `instrument_search` stay.
CREATE VIRTUAL TABLE `instrument_words` USING fts5(`text`, content = '', contentless_delete = 1, tokenize = 'unicode61 remove_diacritics 2', prefix = '2 3 4 5 6 7 8');
--> statement-breakpoint
INSERT INTO `instrument_words` (`rowid`, `text`)
  SELECT `search_id`, `name` FROM `instruments` WHERE `removed_at` IS NULL
  UNION ALL SELECT 1000000000 + `search_id`, concat_ws(' ', `name`, `family`) FROM `instruments` WHERE `removed_at` IS NULL
  UNION ALL SELECT 2000000000 + `search_id`, concat_ws(' ', `name`, `family`, `brand`) FROM `instruments` WHERE `removed_at` IS NULL
  UNION ALL SELECT 4000000000 + `search_id`, concat_ws(' ', `name`, `family`, `brand`, `description`) FROM `instruments` WHERE `removed_at` IS NULL;
--> statement-breakpoint
CREATE TRIGGER `instruments_with_new_words` AFTER UPDATE OF `search_id`, `name`, `family`, `brand`, `description`, `removed_at` ON `instruments`
WHEN NEW.`search_id` IS NOT NULL
BEGIN
  DELETE FROM `instrument_words`
    WHERE `rowid` IN (NEW.`search_id`, 1000000000 + NEW.`search_id`, 2000000000 + NEW.`search_id`, 4000000000 + NEW.`search_id`);
  INSERT INTO `instrument_words` (`rowid`, `text`)
    SELECT NEW.`search_id`, NEW.`name` WHERE NEW.`removed_at` IS NULL
    UNION ALL SELECT 1000000000 + NEW.`search_id`, concat_ws(' ', NEW.`name`, NEW.`family`) WHERE NEW.`removed_at` IS NULL
    UNION ALL SELECT 2000000000 + NEW.`search_id`, concat_ws(' ', NEW.`name`, NEW.`family`, NEW.`brand`) WHERE NEW.`removed_at` IS NULL
    UNION ALL SELECT 4000000000 + NEW.`search_id`, concat_ws(' ', NEW.`name`, NEW.`family`, NEW.`brand`, NEW.`description`)
      WHERE NEW.`removed_at` IS NULL;
END;
