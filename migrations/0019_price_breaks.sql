ALTER TABLE `instruments` ADD `price_breaks` text DEFAULT '[]' NOT NULL;
--> statement-breakpoint
CREATE TRIGGER `instruments_begin_with_valid_price_breaks` AFTER INSERT ON `instruments` WHEN NEW.`price_breaks` <> '[]'
BEGIN
  -- Runs the check below.
  UPDATE `instruments` SET `price_breaks` = `price_breaks` WHERE `id` = NEW.`id`;
END;
--> statement-breakpoint
CREATE TRIGGER `instruments_have_valid_price_breaks` BEFORE UPDATE OF `price_cents`, `min_quantity`, `price_breaks` ON `instruments`
BEGIN
  SELECT RAISE(ABORT, 'at most five price breaks, by rising quantity above the minimum, each cheaper than the one before')
    WHERE json_type(NEW.`price_breaks`) <> 'array' OR json_array_length(NEW.`price_breaks`) > 5 OR EXISTS (
      SELECT 1 FROM (
        SELECT `from`, `price`, lag(`from`, 1, NEW.`min_quantity`) OVER by_key AS `last_from`, lag(`price`, 1, NEW.`price_cents`) OVER by_key AS `last_price`
        FROM (SELECT `key`, `value` ->> 'from' AS `from`, `value` ->> 'priceCents' AS `price` FROM json_each(NEW.`price_breaks`))
        WINDOW by_key AS (ORDER BY `key`)
      )
      WHERE (typeof(`from`) = 'integer' AND typeof(`price`) = 'integer' AND `from` > `last_from` AND `price` > 0 AND `price` < `last_price`) IS NOT TRUE
    );
END;
--> statement-breakpoint
-- As before, and at the price that holds for the quantity.
DROP TRIGGER `orders_begin_unpaid`;
--> statement-breakpoint
CREATE TRIGGER `orders_begin_unpaid` BEFORE INSERT ON `orders`
BEGIN
  SELECT RAISE(ABORT, 'an order begins unpaid') WHERE NEW.`state` <> 'unpaid';
  SELECT RAISE(ABORT, 'not on sale at this price, from this minimum, in this quantity')
    WHERE NOT EXISTS (
      SELECT 1 FROM `instruments`
      WHERE `id` = NEW.`instrument_id` AND `removed_at` IS NULL
        AND NEW.`unit_price_cents` = coalesce((
          SELECT min(`value` ->> 'priceCents') FROM json_each(`instruments`.`price_breaks`) WHERE `value` ->> 'from' <= NEW.`quantity`
        ), `price_cents`)
        AND NEW.`quantity` BETWEEN `min_quantity` AND `available_quantity`
    );
END;
